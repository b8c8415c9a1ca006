//! Arguments that are names of schemes.

use simd_iri::component::ComponentRule;

/// Returns the name if it is a scheme by the grammar.
pub(crate) fn scheme(name: &str) -> Result<String, String> {
    let valid = ComponentRule::Scheme.validate(name);
    valid.map(|()| name.to_owned()).map_err(|error| error.to_string())
}
