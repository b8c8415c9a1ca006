//! Maps file names to `file` IRIs and back (RFC 8089; RFC 3987, section 7.4): names of POSIX systems, which are bytes,
//! and names of Windows.
//!
//! Only the name is read: no file is opened, and no link is followed. Not here: relative names, which identify a file
//! only together with a directory.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::encoded;
use crate::reference::kind::{HasScheme, Kind};
use crate::reference::{Buf, View};
use crate::scan::slice;
use crate::transform::percent::{Path, decode, encode};
use crate::transform::schemes::Known;

impl<K: HasScheme> Buf<K> {
    /// Returns the `file` IRI of an absolute name on a POSIX system, such as Linux or macOS: bytes that begin with a
    /// slash. Octets that are not UTF-8 become triplets. Dot segments stay. Allocates the path and the IRI.
    ///
    /// If names are in a charset other than UTF-8, use `from_posix_path_in` with the feature `charset`. Then the IRI
    /// has the characters of the name (RFC 3987, section 7.4).
    ///
    /// # Errors
    /// The name is relative or contains a NUL, or the IRI would have 4 GiB or more.
    ///
    /// ```
    /// use simd_iri::{IriBuf, UriBuf};
    ///
    /// assert_eq!(IriBuf::from_posix_path("/home/é 1/100%")?, "file:///home/é%201/100%25");
    /// assert_eq!(UriBuf::from_posix_path(b"/\xE9")?, "file:///%E9");
    /// let current = std::path::Path::new("/bin/sh").as_os_str().as_encoded_bytes();
    /// assert_eq!(IriBuf::from_posix_path(current)?, "file:///bin/sh");
    /// # Ok::<(), simd_iri::errors::FileNameError>(())
    /// ```
    pub fn from_posix_path(name: &(impl AsRef<[u8]> + ?Sized)) -> Result<Self, FileNameError> {
        let name = name.as_ref();
        if !name.starts_with(b"/") {
            return Err(FileNameError::NotAbsolute);
        }
        if name.contains(&0) {
            return Err(FileNameError::Nul);
        }
        let mut path = String::with_capacity(name.len());
        // For example, the name `/é` and the octet E9 has one chunk: `/é` is valid, and becomes `/é` in an IRI. E9 is
        // invalid, and becomes `%E9`.
        for chunk in name.utf8_chunks() {
            path.push_str(&encoded::<K, Path>(chunk.valid()));
            encode::<Path>(chunk.invalid()).push_to(&mut path);
        }
        file("", &path)
    }

    /// Returns the `file` IRI of an absolute name on a POSIX system whose names are in a legacy charset. The IRI has
    /// the characters of the name (RFC 3987, section 7.4), in normalization form C unless the charset is UTF-8 or
    /// UTF-16. Allocates the text, the path and the IRI.
    ///
    /// # Errors
    /// The name is relative, contains a NUL, or is not text in the charset; the text has more or fewer slashes than
    /// the name has bytes `/`; or the IRI would have 4 GiB or more.
    ///
    /// ```
    /// use simd_iri::{IriBuf, errors::FileNameError};
    ///
    /// let charset = encoding_rs::SHIFT_JIS;
    /// assert_eq!(IriBuf::from_posix_path_in(b"/\x93\xFA\x96{", charset)?, "file:///日本");
    /// let error = IriBuf::from_posix_path_in(b"/\x93", charset);
    /// assert_eq!(error, Err(FileNameError::NotInCharset));
    /// # Ok::<(), simd_iri::errors::FileNameError>(())
    /// ```
    #[cfg(feature = "charset")]
    pub fn from_posix_path_in(
        name: &(impl AsRef<[u8]> + ?Sized),
        charset: &'static encoding_rs::Encoding,
    ) -> Result<Self, FileNameError> {
        use unicode_normalization::UnicodeNormalization;
        let name = name.as_ref();
        if name.contains(&0) {
            return Err(FileNameError::Nul);
        }
        let text = crate::transform::map::charset::converted(name, charset);
        let text = text.map_err(|_| FileNameError::NotInCharset)?;
        let is_unicode = charset.output_encoding() == encoding_rs::UTF_8;
        let text: String = if is_unicode { text } else { text.nfc().collect() };
        // In some charsets, an octet of another character may be the octet of a slash. The segments of the IRI would be
        // other segments than the folders of the name.
        if slashes(text.as_bytes()) != slashes(name) {
            return Err(FileNameError::Separator);
        }
        Self::from_posix_path(&text)
    }

    /// Returns the `file` IRI of an absolute name on Windows: a name that begins with a drive, as in `C:\`, or with a
    /// server and a share, as in `\\server\share`. A slash counts as a backslash. Dot segments stay. Allocates the path
    /// and the IRI.
    ///
    /// # Errors
    /// The name is relative, or relative to a drive, such as `C:a`; it contains a NUL; it begins with `\\?\` or `\\.\`,
    /// which are prefixes of system calls; or the IRI would have 4 GiB or more.
    ///
    /// ```
    /// use simd_iri::IriBuf;
    ///
    /// assert_eq!(IriBuf::from_windows_path(r"C:\a\é 1.txt")?, "file:///C:/a/é%201.txt");
    /// assert_eq!(IriBuf::from_windows_path(r"\\server\share\x")?, "file://server/share/x");
    /// assert!(IriBuf::from_windows_path(r"C:a").is_err());
    /// # Ok::<(), simd_iri::errors::FileNameError>(())
    /// ```
    pub fn from_windows_path(name: &str) -> Result<Self, FileNameError> {
        let name = name.replace('\\', "/");
        if name.contains('\0') {
            return Err(FileNameError::Nul);
        }
        //     name           server   path        IRI
        //     C:\a           none     C:/a        file:///C:/a
        //     \\s\share\x    s        /share/x    file://s/share/x
        //     C:a, a, \a                          refused: relative
        //     \\?\C:\a       ?                    refused: `?` is not a server
        let (server, path) = match name.strip_prefix("//") {
            Some(rest) => rest.find('/').and_then(|end| rest.split_at_checked(end)),
            None if has_drive(&name) => Some(("", name.as_str())),
            None => None,
        }
        .ok_or(FileNameError::NotAbsolute)?;
        if name.starts_with("//") && !is_server(server) {
            return Err(FileNameError::Host);
        }
        let mut encoded_path = String::from(if server.is_empty() { "/" } else { "" });
        encoded_path.push_str(&encoded::<K, Path>(path));
        file(server, &encoded_path)
    }
}

#[cfg(feature = "std")]
impl<K: HasScheme> Buf<K> {
    /// Returns the `file` IRI of an absolute path of this system: [`from_windows_path`](Self::from_windows_path) on
    /// Windows, and [`from_posix_path`](Self::from_posix_path) on other systems.
    ///
    /// # Errors
    /// Those of these two functions. On Windows, a path that is not UTF-8 is an error too.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// # #[cfg(unix)]
    /// assert_eq!(IriBuf::from_file_path("/a b/é")?, "file:///a%20b/é");
    /// assert!(IriBuf::from_file_path("a").is_err());
    /// # Ok::<(), simd_iri::errors::FileNameError>(())
    /// ```
    #[doc(alias = "from_path")]
    #[doc(alias = "as_uri")]
    pub fn from_file_path(path: impl AsRef<std::path::Path>) -> Result<Self, FileNameError> {
        let name = path.as_ref().as_os_str();
        if cfg!(windows) {
            Self::from_windows_path(name.to_str().ok_or(FileNameError::NotUtf8)?)
        } else {
            Self::from_posix_path(name.as_encoded_bytes())
        }
    }
}

#[cfg(feature = "std")]
impl<K: Kind> View<'_, K> {
    /// Returns the path of this system that this `file` IRI identifies: [`to_windows_path`](Self::to_windows_path) on
    /// Windows, and [`to_posix_path`](Self::to_posix_path) on other systems.
    ///
    /// # Errors
    /// Those of these two functions. On a system that is neither Unix nor Windows, a path that is not UTF-8 is an error
    /// too.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # #[cfg(unix)]
    /// assert_eq!(iri!("file:///a%20b").to_file_path()?, std::path::Path::new("/a b"));
    /// assert!(iri!("http://a/b").to_file_path().is_err());
    /// # Ok::<(), simd_iri::errors::FileNameError>(())
    /// ```
    pub fn to_file_path(self) -> Result<std::path::PathBuf, FileNameError> {
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStringExt;
            self.to_posix_path().map(|name| std::ffi::OsString::from_vec(name).into())
        }
        #[cfg(windows)]
        {
            self.to_windows_path().map(Into::into)
        }
        #[cfg(not(any(unix, windows)))]
        {
            let name = String::from_utf8(self.to_posix_path()?);
            name.map(Into::into).map_err(|_| FileNameError::NotUtf8)
        }
    }
}

impl<K: Kind> View<'_, K> {
    /// Returns the file name, in bytes, that this `file` IRI identifies on a POSIX system. Allocates it.
    ///
    /// # Errors
    /// The scheme is not `file`; the host is neither empty nor `localhost`; there is userinfo or a port; the path does
    /// not begin with a slash; there is a query or a fragment; or a triplet stands for a slash or a NUL.
    ///
    /// ```
    /// use simd_iri::{errors::FileNameError, iri};
    ///
    /// assert_eq!(iri!("file:///%C3%A9/é").to_posix_path()?, "/é/é".as_bytes());
    /// assert_eq!(iri!("file:/a").to_posix_path()?, b"/a");
    /// let hidden = iri!("file:///..%2Fetc").to_posix_path();
    /// assert_eq!(hidden, Err(FileNameError::Separator));
    /// # Ok::<(), simd_iri::errors::FileNameError>(())
    /// ```
    pub fn to_posix_path(self) -> Result<Vec<u8>, FileNameError> {
        let name = decoded_path(self)?;
        if is_local(self.host_str().unwrap_or_default()) {
            Ok(name)
        } else {
            Err(FileNameError::Host)
        }
    }

    /// Returns the file name, in bytes of a legacy charset, that this `file` IRI identifies on a POSIX system.
    /// Allocates it.
    ///
    /// # Errors
    /// Those of [`to_posix_path`](Self::to_posix_path); also, the name is not UTF-8, or has a character that the
    /// charset does not have.
    ///
    /// ```
    /// use simd_iri::iri;
    ///
    /// let name = iri!("file:///%E6%97%A5本").to_posix_path_in(encoding_rs::SHIFT_JIS)?;
    /// assert_eq!(name, b"/\x93\xFA\x96{");
    /// # Ok::<(), simd_iri::errors::FileNameError>(())
    /// ```
    #[cfg(feature = "charset")]
    pub fn to_posix_path_in(
        self,
        charset: &'static encoding_rs::Encoding,
    ) -> Result<Vec<u8>, FileNameError> {
        let name = self.to_posix_path()?;
        let text = String::from_utf8(name).map_err(|_| FileNameError::NotUtf8)?;
        let (name, _, has_others) = charset.encode(&text);
        if has_others {
            return Err(FileNameError::NotInCharset);
        }
        if slashes(&name) != slashes(text.as_bytes()) {
            return Err(FileNameError::Separator);
        }
        Ok(name.into_owned())
    }

    /// Returns the file name that this `file` IRI identifies on Windows. A host other than `localhost` is the server of
    /// a share. Allocates the name.
    ///
    /// # Errors
    /// Those of [`to_posix_path`](Self::to_posix_path), except for the errors about the host. Also: there is no host
    /// and the path does not begin with a drive; the host cannot be a server; a triplet stands for a backslash; or the
    /// name is not UTF-8.
    ///
    /// ```
    /// use simd_iri::iri;
    ///
    /// assert_eq!(iri!("file:///C:/a/%20").to_windows_path()?, r"C:\a\ ");
    /// assert_eq!(iri!("file://server/share/x").to_windows_path()?, r"\\server\share\x");
    /// assert!(iri!("file:///a").to_windows_path().is_err());
    /// # Ok::<(), simd_iri::errors::FileNameError>(())
    /// ```
    pub fn to_windows_path(self) -> Result<String, FileNameError> {
        let not_utf8 = |_| FileNameError::NotUtf8;
        let path = String::from_utf8(decoded_path(self)?).map_err(|_| FileNameError::NotUtf8)?;
        if path.contains('\\') {
            return Err(FileNameError::Separator);
        }
        let host = decode(self.host_str().unwrap_or_default()).utf8().map_err(not_utf8)?;
        let after_slash = slice::text(&path, 1..);
        let name = if is_local(&host) && has_drive(after_slash) {
            Cow::Borrowed(after_slash)
        } else if host.is_empty() {
            return Err(FileNameError::NotAbsolute);
        } else if is_server(&host) {
            Cow::Owned(alloc::format!("//{host}{path}"))
        } else {
            return Err(FileNameError::Host);
        };
        Ok(name.replace('/', "\\"))
    }

    /// Returns the path as a file name that is relative to a folder: the decoded segments, with a slash between them. Whoever
    /// puts it below a folder stays below that folder, on POSIX systems and on Windows. Empty segments and `.` are left out,
    /// so that the name has no slash at its beginning or end; the name of an empty path is empty. The scheme, the
    /// authority, the query and the fragment are not read. Allocates the name.
    ///
    /// The names of devices of Windows, such as `NUL`, are names like others here.
    ///
    /// # Errors
    /// A segment is `..`, or what Windows takes for it; a decoded segment has a slash, a backslash or a NUL; the first segment begins with a drive of Windows,
    /// such as `C:`; or a segment is not UTF-8.
    ///
    /// ```
    /// use simd_iri::{errors::FileNameError, iri};
    /// use std::path::Path;
    ///
    /// let name = iri!("https://a.example/docs//b%20c.html?q").to_relative_path()?;
    /// assert_eq!(Path::new("/srv/site").join(name), Path::new("/srv/site/docs/b c.html"));
    /// let above = iri!("https://a.example/docs/%2E%2E/%2E%2E/etc/passwd").to_relative_path();
    /// assert_eq!(above, Err(FileNameError::Above));
    /// # Ok::<(), simd_iri::errors::FileNameError>(())
    /// ```
    #[doc(alias = "sanitize")]
    #[doc(alias = "filename")]
    pub fn to_relative_path(self) -> Result<String, FileNameError> {
        let mut name = String::with_capacity(self.path().len());
        for segment in self.segments() {
            let segment = decode(segment).utf8().map_err(|_| FileNameError::NotUtf8)?;
            if matches!(&*segment, "" | ".") {
                continue;
            }
            // Windows ignores dots and blanks at the end of a name.
            if segment.starts_with("..") && segment.trim_end_matches(['.', ' ']).is_empty() {
                return Err(FileNameError::Above);
            }
            if segment.contains(['/', '\\']) {
                return Err(FileNameError::Separator);
            }
            if segment.contains('\0') {
                return Err(FileNameError::Nul);
            }
            if name.is_empty() && starts_with_drive(&segment) {
                return Err(FileNameError::Drive);
            }
            if !name.is_empty() {
                name.push('/');
            }
            name.push_str(&segment);
        }
        Ok(name)
    }
}

/// Returns the `file` IRI with this host and a path that is already encoded.
fn file<K: HasScheme>(host: &str, path: &str) -> Result<Buf<K>, FileNameError> {
    let iri = Buf::<K>::builder().scheme("file").host(host).known_path(path).build();
    iri.map_err(|_| FileNameError::TooLong)
}

/// Returns the decoded path of a `file` IRI. A triplet that stands for a slash is an error.
fn decoded_path<K: Kind>(view: View<'_, K>) -> Result<Vec<u8>, FileNameError> {
    if view.as_iri_ref().scheme().and_then(Known::of) != Some(Known::File) {
        return Err(FileNameError::NotFile);
    }
    if view.query().is_some() || view.fragment().is_some() {
        return Err(FileNameError::Query);
    }
    if view.userinfo().is_some() || view.port().is_some() {
        return Err(FileNameError::Authority);
    }
    let path = view.path();
    if !path.starts_with('/') {
        return Err(FileNameError::NotAbsolute);
    }
    // A component of a reference has no stray percent sign.
    let name = decode(path).bytes().unwrap_or_default().into_owned();
    // A triplet of a slash adds a slash to the name. So equal numbers mean that no triplet stands for a slash.
    if name.contains(&0) {
        Err(FileNameError::Nul)
    } else if slashes(&name) != slashes(path.as_bytes()) {
        Err(FileNameError::Separator)
    } else {
        Ok(name)
    }
}

/// Returns the number of slashes.
fn slashes(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'/', bytes).count()
}

/// Tells whether a host means the local system (RFC 8089, section 2).
fn is_local(host: &str) -> bool {
    host.is_empty() || host.eq_ignore_ascii_case("localhost")
}

/// Tells whether a name with slashes in place of backslashes begins with a drive and a slash.
fn has_drive(name: &str) -> bool {
    starts_with_drive(name) && name.as_bytes().get(2) == Some(&b'/')
}

/// Tells whether Windows reads the beginning of a name as a drive.
fn starts_with_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic())
}

/// Tells whether Windows reads this text, if it follows two backslashes, as the name of a server.
fn is_server(host: &str) -> bool {
    !matches!(host, "" | "." | "?") && !host.starts_with('[') && !host.contains(['/', '\\', '\0'])
}

/// The reason why a file name has no `file` IRI, or why an IRI identifies no file name.
///
/// ```
/// use simd_iri::{IriBuf, errors::FileNameError};
///
/// let error = IriBuf::from_posix_path("a").unwrap_err();
/// assert_eq!(error, FileNameError::NotAbsolute);
/// assert_eq!(error.to_string(), "the file name is not absolute; put its directory before it");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FileNameError {
    /// The scheme is not `file`.
    NotFile,
    /// The name, or the path of the IRI, is not absolute.
    NotAbsolute,
    /// The name contains a NUL, which would end it.
    Nul,
    /// A triplet stands for a slash or backslash; or the conversion to or from the charset changes the number of
    /// slashes.
    Separator,
    /// The host cannot be written in a file name of this system.
    Host,
    /// There is userinfo or a port.
    Authority,
    /// There is a query or a fragment.
    Query,
    /// The name is not UTF-8.
    NotUtf8,
    /// The name is not text in the charset, or has a character that the charset does not have.
    NotInCharset,
    /// The IRI has 4 GiB or more.
    TooLong,
    /// The path leads above the folder to which it is relative.
    Above,
    /// A relative name begins with a drive of Windows.
    Drive,
}

impl FileNameError {
    /// All reasons. A new version appends its reasons, so that the place of a reason does not change.
    ///
    /// ```
    /// # use simd_iri::errors::FileNameError;
    /// assert_eq!(FileNameError::ALL.first(), Some(&FileNameError::NotFile));
    /// ```
    pub const ALL: &'static [Self] = &[
        Self::NotFile,
        Self::NotAbsolute,
        Self::Nul,
        Self::Separator,
        Self::Host,
        Self::Authority,
        Self::Query,
        Self::NotUtf8,
        Self::NotInCharset,
        Self::TooLong,
        Self::Above,
        Self::Drive,
    ];
}

impl fmt::Display for FileNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFile => "the scheme is not \"file\"; only its IRIs are file names",
            Self::NotAbsolute => "the file name is not absolute; put its directory before it",
            Self::Nul => "the file name has a NUL in it; remove it",
            Self::Separator => "a triplet stands for a separator of file names; remove it",
            Self::Host => "a file name on this system cannot have this host; remove it",
            Self::Authority => "a file name has neither userinfo nor port; remove them",
            Self::Query => {
                "a file name has neither query nor fragment; remove it, or write %3F or %23"
            }
            Self::NotUtf8 => "the file name is not UTF-8; take its bytes, as on a POSIX system",
            Self::NotInCharset => "the file name is not text in the charset; name another one",
            Self::TooLong => "the IRI would be too long; shorten the name",
            Self::Above => "the path leads above its folder; remove \"..\"",
            Self::Drive => "the relative name begins with a drive of Windows; remove it",
        })
    }
}

impl core::error::Error for FileNameError {}
