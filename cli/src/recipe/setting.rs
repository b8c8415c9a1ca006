//! The value of `--set` and of `iri build`: a component, and the text that takes its place.

use std::str::FromStr;

use simd_iri::kind::Kind;
use simd_iri::{
    Builder, Component,
    component::{Encoded, Value},
};

/// A component, and the text that takes its place.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    component: Component,
    text: String,
    /// Whether the text is percent-encoded already.
    is_encoded: bool,
}

/// The components that can be set.
const COMPONENTS: [Component; 7] = [
    Component::Scheme,
    Component::Userinfo,
    Component::Host,
    Component::Port,
    Component::Path,
    Component::Query,
    Component::Fragment,
];

impl Setting {
    /// Sets the component.
    pub(crate) fn set<'a, K: Kind>(&'a self, builder: Builder<'a, K>) -> Builder<'a, K> {
        let text = self.text.as_str();
        let value = if self.is_encoded { Value::from(Encoded(text)) } else { Value::from(text) };
        builder.component(self.component, value)
    }
}

/// Reads `COMPONENT=TEXT`, or `COMPONENT:=TEXT` for text that is percent-encoded already.
impl FromStr for Setting {
    type Err = String;

    fn from_str(setting: &str) -> Result<Self, String> {
        let (name, text) =
            setting.split_once('=').ok_or("write a component and a text: path=/a")?;
        let (name, is_encoded) = match name.strip_suffix(':') {
            Some(name) => (name, true),
            None => (name, false),
        };
        let component = COMPONENTS.into_iter().find(|known| known.name() == name);
        let component = component.ok_or_else(|| {
            let names = COMPONENTS.map(Component::name).join(", ");
            format!("'{name}' cannot be set; the components are {names}")
        })?;
        if component == Component::Port && text.parse::<u16>().is_err() {
            return Err("a port is a number up to 65535".to_owned());
        }
        Ok(Self { component, text: text.to_owned(), is_encoded })
    }
}
