"""How Numba compiles our kernels: each is optimized once, together with all kernels it calls.

Numba by itself optimizes and emits every function before it compiles the caller, which links the result and optimizes
it again, at every level of a chain of calls. Here a kernel has two forms. Python calls the kernel. Other kernels call
its subroutine, whose LLVM code is neither optimized nor emitted before it is linked into a kernel that Python calls.
"""

import re
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.errors import NumbaError
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

from ludex.core.errors import KernelsFailed
from ludex.kernels.cache import KernelCache

_PLACE = re.compile(r'File "(.+?)", line (\d+):\s+def (\w+)')
_WITHIN: dict[str, Any] = {"no_cfunc_wrapper": True, "no_cpython_wrapper": True}


class Kernel(CPUDispatcher):
    """A compiled function that Python calls, and that stands for its subroutine inside other kernels."""

    def __init__(
        self, py_func: Callable[..., Any], locals: object = None, targetoptions: dict[str, Any] | None = None
    ) -> None:
        options = {"nopython": True, "nogil": True, "boundscheck": None, **(targetoptions or {})}
        super().__init__(py_func, {}, options | {"no_cfunc_wrapper": True})
        self._cache = KernelCache(py_func, options)
        self._subroutine = _Subroutine(py_func, {}, options | _WITHIN, _SubroutineCompiler)

    @property
    def _numba_type_(self) -> Any:
        return types.Dispatcher(self._subroutine)

    def compile(self, sig: Any) -> Any:
        """The compiled form for a signature, from the cache or new. Raises `KernelsFailed`."""
        _import_array_functions()
        try:
            return super().compile(sig)
        except NumbaError as error:
            raise KernelsFailed(_describe(error, self.py_func.__name__)) from error

    def add_overload(self, cres: Any) -> None:
        """Register a compiled form, and give the subroutines in it their environments."""
        super().add_overload(cres)
        for environment in cres._find_referenced_environments():
            cres.codegen.set_env(environment.env_name, environment)


class _Subroutine(CPUDispatcher):
    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile once for all constants: by itself Numba compiles `f(0)` and `f(1)` apart."""
        plain = tuple(types.unliteral(arg) for arg in args)
        return super().get_call_template(plain, {name: types.unliteral(arg) for name, arg in kws.items()})


class _SubroutineLibrary(JITCodeLibrary):
    def _optimize_final_module(self) -> None:
        """Leave it to the kernel that is linked with this."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _SubroutineLowering(NativeLowering):
    _name = "subroutine_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = library = _SubroutineLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        # Numba knows a compiled function by its Python form. This one has no code and is not reachable.
        description = lowered.fndesc
        function = _dynfunc.make_function(
            description.lookup_module(), description.qualname, "", 0, lowered.env, (library,)
        )
        library.finalize()
        state.targetctx.insert_user_function(function, description, [library])
        state.reload_init.extend(library._reload_init)
        state["cr"] = lowered._replace(cfunc=function)
        return True


class _SubroutineCompiler(Compiler):
    def define_pipelines(self) -> list[Any]:
        managers: list[Any] = super().define_pipelines()
        for manager in managers:
            manager.passes = [
                (_SubroutineLowering if step is NativeLowering else step, name) for step, name in manager.passes
            ]
        return managers


def _describe(error: NumbaError, kernel: str) -> str:
    """What Numba says of a kernel in one line, and where: the function at fault first, then those that call it."""
    text = re.sub(r"\x1b\[\d*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if not line.startswith("Failed in")]
    message = " ".join(filter(None, lines)).partition("During: ")[0].partition("There are ")[0].partition('File "')[0]
    places = [f"{name} ({file}:{line})" for file, line, name in _PLACE.findall(text)]
    return f"{', called by '.join(places) or kernel} does not compile: {message.strip()}"


@cache
def _import_array_functions() -> None:
    """Import Numba's array functions without SciPy, whose linear algebra they import only to see that it is there.

    A kernel that needs it still imports it when it is compiled.
    """
    from numba.np import linalg

    ensure = linalg.ensure_blas
    linalg.ensure_blas = _find_scipy
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        linalg.ensure_blas = ensure


def _find_scipy() -> None:
    if find_spec("scipy") is None:
        raise ImportError("SciPy is not installed")
