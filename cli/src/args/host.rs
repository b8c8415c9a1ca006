//! How a host is mapped.

use clap::ValueEnum;

/// How a host is mapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum HostForm {
    /// Like any other component
    Percent,
    /// As a domain name by UTS #46, for http, https, ws, wss and ftp
    Idna,
}
