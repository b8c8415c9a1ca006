"""A plugin of mypy that knows the namespace ``iri`` on expressions and series of Polars and on series of pandas.

In ``pyproject.toml``:

    [tool.mypy]
    plugins = ["simd_iri.mypy"]

For pandas, mypy needs the package ``pandas-stubs``. Without the plugin, mypy knows only what the packages themselves have: a namespace is registered when the program runs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mypy.nodes import MDEF, SymbolTableNode, TypeInfo, Var
from mypy.plugin import AttributeContext, ClassDefContext, Plugin
from mypy.types import AnyType, Instance, Type, TypeOfAny

__all__ = ["plugin"]

# The classes, and what their attribute `iri` is.
_NAMESPACES = {
    "polars.expr.expr.Expr": "simd_iri.polars.IriExpr",
    "polars.series.series.Series": "simd_iri.polars.IriSeries",
    "pandas.core.series.Series": "simd_iri.pandas.IriAccessor",
}


class _Namespaces(Plugin):
    """mypy asks for the attributes of a class before it has read the modules that use the class. So the attribute first has
    any type, and its own type when an expression uses it.
    """

    def get_customize_class_mro_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        return _add if fullname in _NAMESPACES else None

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        owner, _, name = fullname.rpartition(".")
        return partial(self._type, owner) if name == "iri" and owner in _NAMESPACES else None

    def _type(self, owner: str, context: AttributeContext) -> Type:
        namespace = _NAMESPACES[owner]
        found = self.lookup_fully_qualified(namespace)
        if found and isinstance(found.node, TypeInfo):
            return Instance(found.node, [])
        module, _, _ = namespace.rpartition(".")
        context.api.fail(f'"iri" is there after "import {module}"', context.context)
        return context.default_attr_type


def _add(context: ClassDefContext) -> None:
    attribute = Var("iri", AnyType(TypeOfAny.special_form))
    attribute.info = context.cls.info
    attribute.is_property = True
    context.cls.info.names["iri"] = SymbolTableNode(MDEF, attribute, plugin_generated=True)


def plugin(version: str) -> type[Plugin]:
    """Returns the class of the plugin. mypy calls it."""
    return _Namespaces
