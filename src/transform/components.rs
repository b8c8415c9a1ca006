//! Writes a reference again, component by component, with the same delimiters between them.

use alloc::string::String;

use crate::error::Component;
use crate::parse::Parts;
use crate::reference::View;
use crate::reference::kind::Kind;
use crate::scan::slice;

/// Appends the components of `view` to `out`, each with `write`, and returns their offsets in `out`.
///
/// `write` must neither add nor remove a delimiter of the component. It gets a port with its colon, and may
/// leave both out. It gets every path, even an empty one, and a host only if it is not empty.
pub fn rewrite_components<K: Kind>(
    view: View<'_, K>,
    out: &mut String,
    mut write: impl FnMut(Component, &str, &mut String),
) -> Parts {
    let (text, parts) = (view.as_str(), view.parts());
    let [scheme_end, authority, host, host_end, path, path_end, query_end, end] = parts.offsets();
    let part = |start: u32, end: u32| slice::text(text, start as usize..end as usize);
    let has_userinfo = authority < host;
    let mut at = [0; 8];
    let [to_scheme, to_authority, to_host, to_host_end, to_path, to_path_end, to_query_end, to_end] =
        &mut at;

    if scheme_end > 0 {
        write(Component::Scheme, part(0, scheme_end), out);
        *to_scheme = out.len() as u32;
    }
    out.push_str(part(scheme_end, authority));
    *to_authority = out.len() as u32;
    if has_userinfo {
        write(Component::Userinfo, part(authority, host - 1), out);
        out.push('@');
    }
    *to_host = out.len() as u32;
    if host < host_end {
        write(Component::Host, part(host, host_end), out);
    }
    *to_host_end = out.len() as u32;
    if host_end < path {
        write(Component::Port, part(host_end, path), out);
    }
    *to_path = out.len() as u32;
    write(Component::Path, part(path, path_end), out);
    *to_path_end = out.len() as u32;
    if path_end < query_end {
        out.push('?');
        write(Component::Query, part(path_end + 1, query_end), out);
    }
    *to_query_end = out.len() as u32;
    if query_end < end {
        out.push('#');
        write(Component::Fragment, part(query_end + 1, end), out);
    }
    *to_end = out.len() as u32;
    Parts::at(at)
}
