"""The files of a generated package, from the entries of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jinja2

from diffrules.entry import REFUSED, RULES
from generator import support
from generator.callees import Callees
from generator.docstrings import Words
from generator.imports import cycles, import_lines
from generator.kernels import Kernels
from generator.layout import WIDTH
from generator.manifest import entry_lines, refused_lines
from generator.modules import BACKENDS, Module, Modules
from generator.tables import Table
from generator.write import BANNER


class Package:
    """Renders all files of the package of one table.

    Parameters
    ----------
    table : Table
        The entries.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        # Not what others added to the table in this process: it would change what is written.
        own = set(table.rules)
        self.callees = Callees(
            rule for rule in RULES.values() if rule in own or rule.module.startswith("diffrules.")
        )
        self._environment = environment()

    @property
    def steps(self) -> int:
        """How often `render` reports progress."""
        return len(self.table.rules) * (len(BACKENDS) + 1)

    def render(self, progress: Callable[[str], None] = lambda name: None) -> dict[str, str]:
        """Return the text of every file, by its path inside the package.

        Parameters
        ----------
        progress : callable
            Called with the name of each entry whenever it is done for a backend.
        """
        words = Words(self.callees)
        modules = {backend: self._modules(backend, words, progress) for backend in BACKENDS}
        kernels = Kernels(self.callees, self.table.rules, progress)
        files = {
            "py.typed": "",
            "__init__.py": self._text("package.py.jinja"),
            "manifest.py": self._text(
                "manifest.py.jinja", entries=self._entries(modules), refused=refused_lines(REFUSED)
            ),
            "kernels.h": self._text("kernels.h.jinja", kernels=kernels, support=support),
        }
        for backend, families in modules.items():
            files[f"{backend}/__init__.py"] = self._text("backend.py.jinja", backend=backend)
            together = cycles(families)
            for family, module in families.items():
                files[f"{backend}/{family}.py"] = self._module_text(module, together[family])
        if self.table.is_ours:
            helpers = support.helpers()
            for name in ("__init__", *helpers):
                files[f"support/{name}.py"] = self._text(
                    f"support/{name}{support.PYTHON}", helpers=helpers
                )
        return files

    def _modules(
        self, backend: str, words: Words, progress: Callable[[str], None]
    ) -> dict[str, Module]:
        modules = Modules(backend, self.callees, words, progress)
        return {family: modules.module(family, r) for family, r in self.table.families.items()}

    def _entries(self, modules: dict[str, dict[str, Module]]) -> list[str]:
        return [
            "\n".join(entry_lines(rule, modules["scalar"][family]))
            for family, rules in self.table.families.items()
            for rule in rules
        ]

    def _module_text(self, module: Module, together: frozenset[str]) -> str:
        code = "\n".join(line for function in module.functions for line in function.lines)
        imports, late = import_lines(module, self.table, together)
        return self._text(
            f"module_{module.backend}.py.jinja",
            source=self.table.path(module.family),
            subject=self.table.subject(module.family),
            module=module,
            uses_math="math." in code,
            uses_np="np." in code,
            imports=imports,
            late=late,
        )

    def _text(self, template: str, source: str | None = None, **names: Any) -> str:
        banner = "\n".join(
            (
                *_fitted(
                    f"{BANNER}{self.table.command}`;", "do not edit, the next run overwrites it."
                ),
                *_fitted(
                    f"Rules: {source or self.table.folder}. ",
                    f"Template: generator/templates/{template}.",
                ),
            )
        )
        text = self._environment.get_template(template).render(
            banner=banner, table=self.table, **names
        )
        return text.rstrip("\n") + "\n"


def environment() -> jinja2.Environment:
    """Return the templates, strict about names, without HTML escapes."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("generator"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def _fitted(first: str, second: str) -> list[str]:
    """Return two parts as one line, or as two where one would be too long."""
    line = f"{first} {second}"
    return [line] if len(line) <= WIDTH - len("   ") else [first.rstrip(), second]
