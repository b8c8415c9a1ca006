"""The exceptions of this package."""

from __future__ import annotations


class IriError(ValueError):
    """A text that does not match the grammar, or an operation that has no valid result.

    >>> from simd_iri import Iri, IriError
    >>> try:
    ...     Iri("http://例え.jp/a|b")
    ... except IriError as error:
    ...     error.kind, error.start, error.end, error.component, error.hint
    ('character-not-allowed', 14, 15, 'path', 'write %7C')

    A program that adds words to a message may make the exception again of the message alone: then the kind is empty, and the
    place is the start of the text.
    """

    kind: str
    """The reason, in kebab-case; it stays the same between versions."""
    start: int
    """Where the violation begins, in characters of the text."""
    end: int
    """Where it ends, in characters of the text."""
    component: str
    """The component: ``"scheme"``, ``"host"``, ``"path"``, ..., or ``"reference"`` for the whole text."""
    hint: str | None
    """What would be right."""

    def __init__(
        self,
        message: str = "",
        kind: str = "",
        start: int = 0,
        end: int = 0,
        component: str = "reference",
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.start = start
        self.end = end
        self.component = component
        self.hint = hint

    def __reduce__(self):  # Otherwise an exception is made again of its message alone.
        fields = (self.kind, self.start, self.end, self.component, self.hint)
        return type(self), (str(self), *fields)


class TemplateError(ValueError):
    """A text that is not a template, or a value that a variable of a template cannot have.

    >>> from simd_iri import Template, TemplateError
    >>> try:
    ...     Template("/é/{=id}")
    ... except TemplateError as error:
    ...     str(error), error.start, error.end
    ("the operator '=' at character 4 is reserved; the operators are + # . / ; ? &", 4, 5)
    """

    start: int
    """Where the place of the error begins, in characters of the template."""
    end: int
    """Where it ends, in characters of the template."""

    def __init__(self, message: str = "", start: int = 0, end: int = 0) -> None:
        super().__init__(message)
        self.start = start
        self.end = end

    def __reduce__(self):  # Otherwise an exception is made again of its message alone.
        return type(self), (str(self), self.start, self.end)


class RuleError(ValueError):
    """A text of rules for queries that does not follow its format, or a rule that is not applied. The message quotes nothing of
    the text.

    >>> from simd_iri import QueryRules, RuleError
    >>> try:
    ...     QueryRules("[[drop]]\\nnames = ['a']\\npatterns = ['(c']")
    ... except RuleError as error:
    ...     str(error), error.kind, error.line, error.column
    ('line 3, column 13: the pattern is not a regular expression', 'pattern', 3, 13)
    """

    kind: str
    """The reason, in kebab-case; it stays the same between versions."""
    line: int
    """The number of the line, from 1."""
    column: int
    """The number of the character in its line, from 1."""

    def __init__(self, message: str = "", kind: str = "", line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.kind = kind
        self.line = line
        self.column = column

    def __reduce__(self):  # Otherwise an exception is made again of its message alone.
        return type(self), (str(self), self.kind, self.line, self.column)


IriError.__module__ = "simd_iri"
RuleError.__module__ = "simd_iri"
TemplateError.__module__ = "simd_iri"
