"""One server for all tests that need nothing special of it, and an event loop for asynchronous tests."""

import asyncio
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from inspect import iscoroutinefunction, signature
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.web.playing import GENEROUS, Visitor
from tests.web.running import RunningServer, served


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the server's data and runs."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="session")
def server(home: Path) -> Iterator[RunningServer]:
    # A second worker would load every game once more.
    with served(home, *GENEROUS, "--workers", "1") as running:
        yield running


@pytest.fixture
def visitor(server: RunningServer) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


@pytest.fixture
def administrator(server: RunningServer) -> Iterator[httpx.Client]:
    with server.administrator() as client:
        yield client


@pytest.fixture
def ann(server: RunningServer) -> Iterator[Visitor]:
    with Visitor(server) as visitor:
        yield visitor


@pytest.fixture
def bob(server: RunningServer) -> Iterator[Visitor]:
    with Visitor(server) as visitor:
        yield visitor


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an asynchronous test, in the event loop of the fixture `runner` if it has one."""
    test, fixtures = pyfuncitem.obj, pyfuncitem.funcargs
    if not iscoroutinefunction(test):
        return None
    runner: Any = fixtures.get("runner", asyncio)
    runner.run(asyncio.wait_for(_enter(test, {name: fixtures[name] for name in signature(test).parameters}), 300))
    return True


async def _enter(test: Any, arguments: dict[str, Any]) -> None:
    """A test with its arguments; the fixtures that are asynchronous contexts are entered."""
    async with AsyncExitStack() as stack:
        for name, value in arguments.items():
            if isinstance(value, AbstractAsyncContextManager):
                arguments[name] = await stack.enter_async_context(value)
        await test(**arguments)
