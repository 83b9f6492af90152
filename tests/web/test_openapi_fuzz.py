"""schemathesis reads the OpenAPI document and asks a real server whatever it can think of."""

from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.web.playing import GENEROUS
from tests.web.running import RunningServer, server_fixture

CHECKS = [
    schemathesis.checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]


fuzzed = server_fixture(
    *GENEROUS, "--search-ms", "200", "--matches-per-person", "100000", "--matches-per-hour", "100000"
)


@pytest.mark.slow
@pytest.mark.parametrize("examples", [2, pytest.param(30, marks=pytest.mark.full)])
def test_nothing_unexpected_is_answered(fuzzed: RunningServer, examples: int) -> None:
    """Asks each operation so many times."""
    schema = schemathesis.openapi.from_url(f"{fuzzed.url}/api/openapi.json")
    found = list(schema.get_all_operations())
    operations = [one.ok() for one in found if isinstance(one, Ok)]
    assert len(operations) == len(found) >= 20
    with fuzzed.client() as visitor:
        seats = {"game": "tictactoe", "seats": ["you", "open"]}
        known = visitor.post("/api/matches", json=seats).json()["id"]
        for operation in operations:

            @settings(
                max_examples=examples,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=[*HealthCheck],
                database=None,
                derandomize=True,
            )
            @given(case=operation.as_strategy(), real=st.booleans())
            def ask(case: Case[Any], real: bool) -> None:
                # Half of the time of a match that exists, or nothing but 404 would ever be seen.
                if real and "match_id" in (case.path_parameters or {}):
                    case.path_parameters["match_id"] = known
                response = case.call(base_url=fuzzed.url, cookies=dict(visitor.cookies))
                case.validate_response(response, checks=CHECKS)

            ask()
    assert httpx.get(f"{fuzzed.url}/api/health").status_code == 200
    assert "Traceback" not in fuzzed.log()
