//! The references of HTML and Markdown by the parsers that others keep: html5ever, with its tree of elements, and
//! pulldown-cmark. The tests and the fuzz target `documents` compare with them. Not here: what is compared.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{TokenizerResult, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag as Inline, TagEnd};

/// Builds the tree, and keeps each start tag, with whether its element is one of HTML.
struct Recorder {
    builder: TreeBuilder<Handle, RcDom>,
    tags: RefCell<Vec<(Tag, bool)>>,
}

impl TokenSink for Recorder {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        let tag = match &token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => Some(tag.clone()),
            _ => None,
        };
        let result = self.builder.process_token(token, line);
        let is_html = !self.adjusted_current_node_present_but_not_in_html_namespace();
        self.tags.borrow_mut().extend(tag.map(|tag| (tag, is_html)));
        result
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Attributes that hold a reference, by the index of the HTML standard and by HTML 4.01, each with its elements; without
/// elements, all have it.
const ONE: [(&str, &[&str]); 14] = [
    ("href", &[]),
    ("src", &[]),
    ("xlink:href", &[]),
    ("itemid", &[]),
    ("action", &["form"]),
    ("formaction", &["button", "input"]),
    ("data", &["object"]),
    ("poster", &["video"]),
    ("cite", &["blockquote", "del", "ins", "q"]),
    ("manifest", &["html"]),
    ("longdesc", &["frame", "iframe", "img"]),
    ("background", &["body", "table", "tbody", "td", "tfoot", "th", "thead", "tr"]),
    ("codebase", &["applet", "object"]),
    ("classid", &["object"]),
];

/// Attributes that hold a set of references.
const SETS: [(&str, &[&str]); 4] =
    [("ping", &["a", "area"]), ("itemtype", &[]), ("profile", &["head"]), ("archive", &["object"])];

/// The references in the attributes of a page, in order, and the base, if it is not empty. Not those of `srcset` and
/// `style`, and of a refresh only those that `0;url=` begins.
pub(crate) fn html(page: &str) -> (Vec<String>, Option<String>) {
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let builder = TreeBuilder::new(RcDom::default(), options);
    let recorder = Recorder { builder, tags: RefCell::default() };
    let tokenizer = Tokenizer::new(recorder, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(page));
    // A script is where the tokenizer stops.
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    let mut found = Vec::new();
    for (tag, is_html) in tokenizer.sink.tags.borrow().iter() {
        let is = |local: &str, table: &[(&str, &[&str])]| {
            table.iter().any(|(name, elements)| {
                let is_of = |known: &&str| *is_html && **known == *tag.name;
                *name == local && (elements.is_empty() || elements.iter().any(|known| is_of(known)))
            })
        };
        let mut attributes = tag.attrs.iter();
        let equivalent = attributes.find(|attribute| *attribute.name.local == *"http-equiv");
        let is_refresh =
            equivalent.is_some_and(|found| found.value.eq_ignore_ascii_case("refresh"));
        for attribute in &tag.attrs {
            let (name, value) = (&*attribute.name.local, &*attribute.value);
            if name == "content" && *tag.name == *"meta" && is_refresh && *is_html {
                found.extend(value.strip_prefix("0;url=").map(str::to_owned));
            } else if is(name, &ONE) {
                found.push(value.trim_matches(|c| c <= ' ').to_owned());
            } else if is(name, &SETS) {
                found.extend(value.split_ascii_whitespace().map(str::to_owned));
            }
        }
    }
    found.retain(|found| !found.is_empty());
    (found, base(&tokenizer.sink.builder.sink.document))
}

/// The first base with an address, outside templates, whose content is no child.
fn base(document: &Handle) -> Option<String> {
    let mut pending = vec![document.clone()];
    while let Some(node) = pending.pop() {
        if let NodeData::Element { name, attrs, .. } = &node.data {
            let attributes = attrs.borrow();
            let address = attributes.iter().find(|attribute| *attribute.name.local == *"href");
            if let Some(address) =
                address.filter(|_| *name.local == *"base" && name.ns == ns!(html))
            {
                let address = address.value.trim_matches(|c| c <= ' ').to_owned();
                return (!address.is_empty()).then_some(address);
            }
        }
        pending.extend(node.children.borrow().iter().rev().cloned());
    }
    None
}

/// The destinations, the autolinks and the references of raw HTML of a document of Markdown, sorted.
pub(crate) fn markdown(text: &str) -> Vec<String> {
    let parser = Parser::new_ext(text, Options::empty());
    let definitions = parser.reference_definitions().iter();
    let mut found: Vec<String> = definitions.map(|(_, found)| found.dest.to_string()).collect();
    let mut block = None;
    for event in parser {
        match event {
            Event::Start(
                Inline::Link { link_type, dest_url, .. }
                | Inline::Image { link_type, dest_url, .. },
            ) => {
                let is_here =
                    matches!(link_type, LinkType::Inline | LinkType::Autolink | LinkType::Email);
                found.extend(is_here.then(|| dest_url.to_string()));
            }
            Event::Start(Inline::HtmlBlock) => block = Some(String::new()),
            Event::End(TagEnd::HtmlBlock) => {
                found.extend(html(&block.take().unwrap_or_default()).0);
            }
            Event::Html(piece) | Event::InlineHtml(piece) => match &mut block {
                Some(block) => block.push_str(&piece),
                None => found.extend(html(&piece).0),
            },
            _ => {}
        }
    }
    found.retain(|found| !found.is_empty());
    found.sort();
    found
}
