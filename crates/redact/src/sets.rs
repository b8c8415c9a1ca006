//! The sets of keys whose values are secret, by name and version.
//!
//! Not here: how a key is read (`key`).

use super::spelling::is_separator;
use simd_iri::low::named;

/// A set of keys whose values are secret.
///
/// A key is a list of words, however a name spells them: `access_token`, `access-token`, `accessToken` and `ACCESS_TOKEN` are
/// one key. A `*` stands for any words. The sets of OpenTelemetry (`otel`) compare keys with the case of their letters, as
/// the convention says.
///
/// ```
/// use simd_iri_redact::SecretSet;
///
/// assert_eq!("otel-1.29".parse(), Ok(SecretSet::Otel1_29));
/// assert!(SecretSet::Otel1_29.keys().contains(&"sig"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SecretSet {
    /// The newest set of OpenTelemetry that this version knows, now [`Otel1_45`](Self::Otel1_45). It holds the keys of
    /// the other sets of OpenTelemetry.
    Otel,
    /// The set of the semantic conventions of OpenTelemetry from 1.29 to 1.41.
    Otel1_29,
    /// The set of the semantic conventions of OpenTelemetry from 1.42 to 1.44.
    Otel1_42,
    /// The set of the semantic conventions of OpenTelemetry after 1.44, as it was on 2026-08-20.
    Otel1_45,
    /// Requests to AWS that are signed in their query, version 4.
    AwsSigV4,
    /// Requests to AWS that are signed in their query, version 2.
    AwsSigV2,
    /// Signed addresses of CloudFront.
    CloudFront,
    /// Shared access signatures of Azure Storage.
    AzureSas,
    /// Signed addresses of Google Cloud Storage, both versions.
    Gcs,
    /// Tokens, codes and assertions of OAuth 2, OpenID Connect and SAML. They also stand in fragments.
    OAuth,
    /// Usual names of passwords, tokens, keys and sessions, whatever words stand before them (`x-api-key`), also in the last
    /// brackets of a name (`user[password]`), in fragments, and as `;jsessionid=` in a path.
    Common,
}

named! {
    /// Returns the name in kebab-case, with the version.
    "simd_iri_redact::SecretSet" SecretSet {
        Otel = "otel",
        Otel1_29 = "otel-1.29",
        Otel1_42 = "otel-1.42",
        Otel1_45 = "otel-1.45",
        AwsSigV4 = "aws-sigv4",
        AwsSigV2 = "aws-sigv2",
        CloudFront = "cloudfront",
        AzureSas = "azure-sas",
        Gcs = "gcs",
        OAuth = "oauth",
        Common = "common",
    }
}

impl SecretSet {
    /// The sets that every interface takes without being asked.
    ///
    /// ```
    /// # use simd_iri_redact::SecretSet;
    /// assert_eq!(SecretSet::DEFAULT, [SecretSet::Otel, SecretSet::OAuth, SecretSet::Common]);
    /// ```
    pub const DEFAULT: &'static [Self] = &[Self::Otel, Self::OAuth, Self::Common];

    /// Returns the keys.
    ///
    /// ```
    /// # use simd_iri_redact::SecretSet;
    /// assert_eq!(SecretSet::AzureSas.keys(), ["sig"]);
    /// ```
    #[must_use]
    pub const fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Otel | Self::Otel1_45 => &[
                "X-Amz-Signature",
                "X-Amz-Credential",
                "X-Amz-Security-Token",
                "AWSAccessKeyId",
                "Signature",
                "sig",
                "X-Goog-Signature",
            ],
            Self::Otel1_29 => &["AWSAccessKeyId", "Signature", "sig", "X-Goog-Signature"],
            Self::Otel1_42 => &[
                "X-Amz-Signature",
                "X-Amz-Credential",
                "X-Amz-Security-Token",
                "sig",
                "X-Goog-Signature",
            ],
            Self::AwsSigV4 => &["X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token"],
            Self::AwsSigV2 => {
                &["AWSAccessKeyId", "Signature", "SecurityToken", "x-amz-security-token"]
            }
            Self::CloudFront => &["Signature", "Key-Pair-Id", "Policy"],
            Self::AzureSas => &["sig"],
            Self::Gcs => &[
                "X-Goog-Signature",
                "X-Goog-Credential",
                "GoogleAccessId",
                "Signature",
                "X-Goog-Security-Token",
            ],
            Self::OAuth => &[
                "access_token",
                "refresh_token",
                "id_token",
                "code",
                "client_secret",
                "client_assertion",
                "assertion",
                "code_verifier",
                "token",
                "device_code",
                "request",
                "id_token_hint",
                "SAMLRequest",
                "SAMLResponse",
                "RelayState",
            ],
            // `key` and `pin` have many uses that are not secret, so they are not in the set.
            Self::Common => &[
                "*-token",
                "*-secret",
                "*-pass-word",
                "*-passwd",
                "*-pwd",
                "*-pass-phrase",
                "*-pass-code",
                "*-password-confirmation",
                "*-api-key",
                "*-access-key",
                "*-private-key",
                "*-license-key",
                "*-subscription-key",
                "*-secret-key",
                "*-signing-key",
                "*-encryption-key",
                "*-auth-key",
                "*-session-key",
                "*-signature",
                "*-hmac",
                "*-credential",
                "*-credentials",
                "*-jwt",
                "aws-access-key-id",
                "pass",
                "auth",
                "authorization",
                "x-authorization",
                "session",
                "session-id",
                "x-session-id",
                "php-sess-id",
                "j-session-id",
                "asp-net-session-id",
                "connect-sid",
                "sess-id",
                "sid",
                "bearer",
                "sig",
                "sign",
                "otp",
                "csrf",
                "xsrf",
            ],
        }
    }

    /// Tells whether keys are compared byte by byte.
    pub(super) const fn has_case(self) -> bool {
        matches!(self, Self::Otel | Self::Otel1_29 | Self::Otel1_42 | Self::Otel1_45)
    }

    /// Tells whether the secrets also stand in fragments.
    pub(super) const fn is_in_fragments(self) -> bool {
        matches!(self, Self::OAuth | Self::Common)
    }

    /// Returns the bit of the set in a [`SetBits`].
    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// Some sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SetBits(u16);

impl SetBits {
    pub(super) const NONE: Self = Self(0);

    pub(super) const fn with(self, set: SecretSet) -> Self {
        Self(self.0 | set.bit())
    }

    pub(super) const fn has(self, set: SecretSet) -> bool {
        self.0 & set.bit() != 0
    }

    /// Returns the sets in the order of [`SecretSet::ALL`].
    pub(super) fn iter(self) -> impl Iterator<Item = SecretSet> {
        SecretSet::ALL.iter().copied().filter(move |set| self.has(*set))
    }
}

/// The last three letters of all keys, without their case: a bit for each hash of them. Separators of words and digits at
/// the end of a key do not count (`spelling`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct LastLetters(HashBits);

impl LastLetters {
    pub(super) const NONE: Self = Self(HashBits::NONE);

    /// Returns the ends with those of other keys. With a key that has fewer letters behind its last `*`, or a byte that
    /// readers change, every text may end with a key.
    pub(super) const fn with(self, keys: &[&str]) -> Self {
        let (Self(mut bits), mut rest) = (self, keys);
        while let [key, others @ ..] = rest {
            bits = match last_letters(key.as_bytes()) {
                Some([a, b, c]) => bits.with(Self::hash(a, b, c)),
                None => HashBits::ALL,
            };
            rest = others;
        }
        Self(bits)
    }

    #[inline]
    pub(super) fn has(self, a: u8, b: u8, c: u8) -> bool {
        self.0.has(Self::hash(a, b, c))
    }

    #[inline]
    const fn hash(a: u8, b: u8, c: u8) -> usize {
        // The low five bits of a letter do not tell its case.
        (a & 31) as usize * 37 + (b & 31) as usize * 11 + (c & 31) as usize * 67
    }
}

/// Returns the last three letters of a key.
const fn last_letters(key: &[u8]) -> Option<[u8; 3]> {
    let (mut letters, mut count, mut rest) = ([0; 3], 0, key);
    while let [others @ .., byte] = rest {
        rest = others;
        if is_separator(*byte) || (count == 0 && byte.is_ascii_digit()) {
            continue;
        }
        if matches!(*byte, b'*' | b'%') {
            return None;
        }
        let [_, b, c] = letters;
        letters = match count {
            0 => [0, 0, *byte],
            1 => [0, *byte, c],
            _ => return Some([*byte, b, c]),
        };
        count += 1;
    }
    None
}

/// A set of hashes, of which the low eight bits count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct HashBits([u64; 4]);

impl HashBits {
    const NONE: Self = Self([0; 4]);
    const ALL: Self = Self([u64::MAX; 4]);

    const fn with(self, hash: usize) -> Self {
        let Self([mut a, mut b, mut c, mut d]) = self;
        let bit = 1 << (hash & 63);
        match hash >> 6 & 3 {
            0 => a |= bit,
            1 => b |= bit,
            2 => c |= bit,
            _ => d |= bit,
        }
        Self([a, b, c, d])
    }

    #[inline]
    fn has(self, hash: usize) -> bool {
        self.0.get(hash >> 6 & 3).is_some_and(|bits| bits >> (hash & 63) & 1 != 0)
    }
}
