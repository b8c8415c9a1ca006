//! The tests of the layers: one binary.
//!
//! | module | proves |
//! | --- | --- |
//! | `support` | (servers of hyper on loopback, a client that sends any bytes) |
//! | `targets` | a server with the layers gives the right answers, also to hostile bytes and over HTTP/2 |
//! | `responses` | a client gets URIs from a server with `UriLocation` |
//! | `routes` | the same around a router of axum |
//! | `cases` | every case that a message can carry has the answer of the library |
//! | `laws` | normalization keeps its promises on random targets |
#![expect(clippy::string_slice, reason = "a wrong offset is a failed test")]

#[cfg(test)]
mod cases;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod responses;
#[cfg(test)]
mod routes;
#[cfg(test)]
mod support;
#[cfg(test)]
mod targets;
