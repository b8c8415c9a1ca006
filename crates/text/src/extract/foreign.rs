//! Whether the next element of a page belongs to HTML, to SVG or to MathML (HTML standard, section 13.2.6). Only in
//! HTML, the text of `script`, `style` and `title` has no tags.
//!
//! The stack here is not the stack of the standard: it has only the open elements that change the answer. An end tag
//! closes the innermost of these elements if the two have the same name. If a page has no end tag for an element of
//! HTML inside `foreignObject`, a browser may read the page in another way.

/// An open element that decides to which language the elements in it belong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OpenElement {
    Svg,
    Math,
    /// An element of SVG or MathML whose content is HTML.
    Html(&'static str),
}

/// The largest number of open elements that are kept. Elements inside the last of them are not kept.
const DEEPEST: usize = 16;

/// The open elements that change the language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foreign {
    open: [OpenElement; DEEPEST],
    length: usize,
}

/// The properties of a start tag that matter here, besides its name.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Start {
    /// Whether the tag ends with `/>`.
    pub(crate) closes: bool,
    /// Whether an annotation of MathML is HTML.
    pub(crate) is_html_annotation: bool,
    /// Whether the tag has an attribute of the element `font` of HTML.
    pub(crate) has_font: bool,
}

/// Elements of SVG whose content is HTML.
const IN_SVG: [&str; 3] = ["foreignObject", "desc", "title"];
/// Elements of MathML whose content is HTML.
const IN_MATH: [&str; 5] = ["mi", "mo", "mn", "ms", "mtext"];
const ANNOTATION: &str = "annotation-xml";

/// Elements of HTML that end SVG and MathML wherever they begin.
const BREAKING: [&str; 44] = [
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "i",
    "img",
    "li",
    "listing",
    "menu",
    "meta",
    "nobr",
    "ol",
    "p",
    "pre",
    "ruby",
    "s",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "sup",
    "table",
    "tt",
    "u",
    "ul",
    "var",
];

impl Foreign {
    pub(crate) const fn new() -> Self {
        Self { open: [OpenElement::Svg; DEEPEST], length: 0 }
    }

    fn last(&self) -> Option<OpenElement> {
        self.open.get(self.length.checked_sub(1)?).copied()
    }

    fn push(&mut self, open: OpenElement) {
        if let Some(place) = self.open.get_mut(self.length) {
            *place = open;
            self.length += 1;
        }
    }

    /// Tells whether the next text is in SVG or in MathML.
    pub(crate) fn is_foreign(&self) -> bool {
        matches!(self.last(), Some(OpenElement::Svg | OpenElement::Math))
    }

    /// Takes a start tag. Returns whether its element belongs to HTML.
    pub(crate) fn start(&mut self, name: &str, start: Start) -> bool {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let is_breaking = BREAKING.into_iter().any(is) || is("font") && start.has_font;
        while is_breaking && self.is_foreign() {
            self.length -= 1;
        }
        let (is_html, opens) = match self.last() {
            Some(OpenElement::Svg) if is("svg") => (false, Some(OpenElement::Svg)),
            Some(OpenElement::Svg) => {
                (false, IN_SVG.into_iter().find(|known| is(known)).map(OpenElement::Html))
            }
            Some(OpenElement::Math) if is("math") => (false, Some(OpenElement::Math)),
            Some(OpenElement::Math) if is(ANNOTATION) && start.is_html_annotation => {
                (false, Some(OpenElement::Html(ANNOTATION)))
            }
            Some(OpenElement::Math) => {
                (false, IN_MATH.into_iter().find(|known| is(known)).map(OpenElement::Html))
            }
            None | Some(OpenElement::Html(_)) if is("svg") => (false, Some(OpenElement::Svg)),
            None | Some(OpenElement::Html(_)) if is("math") => (false, Some(OpenElement::Math)),
            None | Some(OpenElement::Html(_)) => (true, None),
        };
        if let Some(open) = opens.filter(|_| !start.closes) {
            self.push(open);
        }
        is_html
    }

    /// Takes an end tag. Returns whether it belongs to HTML.
    pub(crate) fn end(&mut self, name: &str) -> bool {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let closes = match self.last() {
            None => return true,
            Some(OpenElement::Svg) => is("svg"),
            Some(OpenElement::Math) => is("math"),
            Some(OpenElement::Html(known)) => is(known),
        };
        let is_foreign = self.is_foreign();
        if closes {
            self.length -= 1;
            return false;
        }
        // A start tag of these elements ends SVG and MathML. So if such an element is open, it is around them.
        while BREAKING.into_iter().any(is) && self.is_foreign() {
            self.length -= 1;
        }
        !is_foreign
    }
}
