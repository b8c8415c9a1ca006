//! A verdict about a URL before it is fetched: may a server request this URL on behalf of somebody else?
//!
//! A [`Policy`] judges a text, an address or a redirect. The answer is a [`Verdict`]: refuse, with all reasons; allow,
//! because the host is an address that the policy permits; or resolve, because the host is a name that nothing speaks
//! against. The host is read by RFC 3987 and by the URL Standard (WHATWG). A text that the two read differently is
//! refused, because a client reads it in one of the two ways.
//!
//! ```
//! use simd_iri_judge::{Decision, Policy};
//!
//! let policy = Policy::public_web();
//! let verdict = policy.judge("https://Example.com:443/a/../b?q#top");
//! assert_eq!(verdict.decision(), Decision::Resolve);
//! assert_eq!(verdict.url_to_send(), Some("https://example.com/b?q"));
//!
//! let verdict = policy.judge("http://①②⑦.1/");
//! assert_eq!(verdict.decision(), Decision::Refuse);
//! let reasons: Vec<_> = verdict.reasons().iter().map(ToString::to_string).collect();
//! assert_eq!(reasons, ["readings-differ", "address 127.0.0.0/8"]);
//! ```
//!
//! # What the caller does
//! The module opens no socket and looks up no name. A verdict is about the text alone. These steps are the caller's:
//!
//! 1. Request [`Verdict::url_to_send`], and not the text.
//! 2. If the decision is [`Resolve`](Decision::Resolve), look up the host once, judge each address with
//!    [`Policy::judge_address`], and connect to an address that is not refused. A client that looks up the host again
//!    may get another address.
//! 3. Turn off redirects in the client. Give each `Location` to [`Policy::judge_redirect`], and begin again with step
//!    1.
//! 4. Use no proxy, or a proxy that does steps 2 and 3: a proxy looks up the host by itself.
//!
//! The guide of the engine has these steps for clients in Rust and Python (`simd_iri::guide::judge`).
//!
//! Not here: the tables of addresses and names and the parser, which are the engine's, and checks that report and do not
//! decide (`simd-iri-lint`).
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod address;
mod names;
mod policy;
mod redirect;
mod rfc;
mod send;
mod standard;
mod steps;
mod verdict;

pub use address::{AddressRange, judge_address, ranges_date};
pub use names::NameError;
pub use policy::Policy;
pub use redirect::Redirect;
pub use verdict::{Decision, Reason, ReasonKind, Verdict};

pub use simd_iri::low::range::{IpRange, RangeError};
