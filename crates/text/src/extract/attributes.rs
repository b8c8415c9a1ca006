//! The attributes of HTML whose value is a reference or holds references. They are from the index of the HTML standard,
//! from SVG and MathML, and from HTML 4.01 if pages still have them. Not here: where the references are in a value
//! (`values`).

/// How a value holds references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// The whole value is a reference.
    Exact,
    /// The value is a reference, perhaps with white space around it.
    One,
    /// References with white space between them.
    Set,
    /// Candidates of images: references with descriptors, and commas between them.
    Candidates,
    /// Declarations of CSS, with `url()` in them.
    Style,
    /// The time and the reference of a refresh.
    Refresh,
}

/// The elements that have an attribute.
enum Of {
    Any,
    /// These elements of HTML.
    Html(&'static [&'static str]),
}

/// The attributes. A name that SVG, MathML or custom elements use too counts on every element.
const ATTRIBUTES: [(&str, Of, Form); 22] = [
    ("href", Of::Any, Form::One),
    ("src", Of::Any, Form::One),
    ("style", Of::Any, Form::Style),
    ("xlink:href", Of::Any, Form::One),
    ("itemid", Of::Any, Form::One),
    ("itemtype", Of::Any, Form::Set),
    ("srcset", Of::Html(&["img", "source"]), Form::Candidates),
    ("imagesrcset", Of::Html(&["link"]), Form::Candidates),
    ("action", Of::Html(&["form"]), Form::One),
    ("formaction", Of::Html(&["button", "input"]), Form::One),
    ("content", Of::Html(&["meta"]), Form::Refresh),
    ("data", Of::Html(&["object"]), Form::One),
    ("poster", Of::Html(&["video"]), Form::One),
    ("ping", Of::Html(&["a", "area"]), Form::Set),
    ("cite", Of::Html(&["blockquote", "del", "ins", "q"]), Form::One),
    ("manifest", Of::Html(&["html"]), Form::One),
    ("longdesc", Of::Html(&["frame", "iframe", "img"]), Form::One),
    (
        "background",
        Of::Html(&["body", "table", "tbody", "td", "tfoot", "th", "thead", "tr"]),
        Form::One,
    ),
    ("profile", Of::Html(&["head"]), Form::Set),
    ("codebase", Of::Html(&["applet", "object"]), Form::One),
    ("classid", Of::Html(&["object"]), Form::One),
    ("archive", Of::Html(&["object"]), Form::Set),
];

/// The attributes of a tag that were read. If two attributes have the same name, only the first counts.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Seen(u32);

impl Seen {
    /// Returns the form of an attribute of an element, if the attribute holds references and is the first with its
    /// name. `is_html` tells whether the element is an element of HTML, and `is_refresh` whether it is a refresh.
    pub(crate) fn form(
        &mut self,
        name: &str,
        element: &str,
        is_html: bool,
        is_refresh: bool,
    ) -> Option<Form> {
        let is = |(known, ..): &(&str, Of, Form)| name.eq_ignore_ascii_case(known);
        let number = ATTRIBUTES.iter().position(is)?;
        let (_, of, form) = ATTRIBUTES.get(number)?;
        let (bit, seen) = (1 << number, self.0);
        self.0 |= bit;
        let is_of_element = match of {
            Of::Any => true,
            Of::Html(elements) => {
                is_html && elements.iter().any(|known| element.eq_ignore_ascii_case(known))
            }
        };
        let counts = is_of_element && (*form != Form::Refresh || is_refresh);
        (counts && seen & bit == 0).then_some(*form)
    }
}
