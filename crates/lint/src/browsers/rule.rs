//! The rules by which browsers decide about a label: their names and what they say.
//!
//! Not here: when a rule applies (`chromium`, `firefox`).

use simd_iri::low::named;

/// Makes the type of the rules: a line for each rule, with its name and what it says about a label.
macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $rule:ident $name:literal $description:literal;)+) => {
        /// The rule by which a browser shows the A-label (`xn--`) of a label and not its Unicode form.
        ///
        /// ```
        /// use simd_iri_lint::{DisplayPolicy, DisplayRule};
        ///
        /// let rule = DisplayPolicy::Chromium.judge("tᴡitter.com").rule();
        /// assert_eq!(rule, Some(DisplayRule::Character));
        /// assert_eq!(DisplayRule::Character.name(), "character");
        /// assert_eq!("character".parse(), Ok(DisplayRule::Character));
        /// ```
        #[non_exhaustive]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum DisplayRule {
            $($(#[doc = $doc])+ $rule,)+
        }

        impl DisplayRule {
            /// All rules.
            ///
            /// ```
            /// # use simd_iri_lint::DisplayRule;
            /// assert!(DisplayRule::ALL.iter().all(|rule| rule.name().parse() == Ok(*rule)));
            /// ```
            pub const ALL: &'static [Self] = &[$(Self::$rule),+];

            /// Returns the name of the rule, in kebab-case.
            ///
            /// ```
            /// # use simd_iri_lint::DisplayRule;
            /// assert_eq!(DisplayRule::ProlongedSound.name(), "prolonged-sound");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$rule => $name,)+ }
            }

            /// Returns what the rule says about a label, as the end of a sentence that begins with "the label".
            ///
            /// ```
            /// # use simd_iri_lint::DisplayRule;
            /// assert_eq!(DisplayRule::MixedScripts.description(), "mixes scripts");
            /// ```
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $(Self::$rule => $description,)+ }
            }
        }

        named!(@text DisplayRule, [$($name),+]);
    };
}

rules! {
    /// UTS #46 refuses the label, or the label is longer than any name.
    NotIdna "not-idna" "is not valid by UTS #46";
    /// A character that Unicode restricts in identifiers (UTS #39), or that the browser itself excludes.
    Character "character" "has a character that browsers do not allow in hosts";
    /// Scripts that do not belong together (UTS #39, section 5.2).
    MixedScripts "mixed-scripts" "mixes scripts";
    /// Digits of several scripts.
    MixedDigits "mixed-digits" "mixes digits of several scripts";
    /// The same nonspacing mark twice on one letter.
    RepeatedMark "repeated-mark" "has the same mark twice on one letter";
    /// A dot above on a letter that has a dot or a stroke there: i, j, l and their look-alikes.
    DotAbove "dot-above" "has a dot above that readers do not see";
    /// A letter that belongs to other top-level domains: þ and ð to `is` and `fo`, ə to `az`.
    OtherDomain "other-domain" "has a letter that belongs to other top-level domains";
    /// A middle dot that is not between two l below `cat`.
    MiddleDot "middle-dot" "has a middle dot that is not between two l below .cat";
    /// Each letter is of one other script and looks like a Latin letter.
    WholeScript "whole-script" "consists of letters that look like Latin letters";
    /// Digits, and letters or digits of other scripts that look like digits.
    DigitLookAlike "digit-look-alike" "consists of digits and characters that look like digits";
    /// A Latin letter outside ASCII beside letters of another script.
    MixedLatin "mixed-latin" "has a Latin letter outside ASCII beside another script";
    /// Katakana or an ideograph that looks like a slash, between letters that are not Japanese.
    SlashLike "slash-like" "has a character that looks like a slash";
    /// An iteration mark that does not follow Katakana.
    IterationMark "iteration-mark" "has an iteration mark that does not follow Katakana";
    /// The letter he, be or pe of Hiragana among Katakana, or of Katakana among Hiragana.
    KanaHe "kana-he" "has a letter he of the other kana";
    /// A prolonged sound mark that does not follow kana.
    ProlongedSound "prolonged-sound" "has a prolonged sound mark that does not follow kana";
    /// The middle dot of Katakana beside a letter that is not Japanese.
    KatakanaDot "katakana-dot" "has a middle dot of Katakana beside another script";
    /// An ideograph or a letter of Bopomofo that looks like a Latin letter or a sign, beside another script.
    LatinLike "latin-like" "has an ideograph that looks like a Latin letter or a sign";
    /// A mark on a letter of a script to which the mark does not belong.
    MisplacedMark "misplaced-mark" "has a mark on a letter of another script";
    /// A mark on a dotless i.
    DotlessI "dotless-i" "has a mark on a dotless i";
    /// A voicing mark of kana that is a character of its own.
    VoicingMark "voicing-mark" "has a voicing mark that stands alone";
}
