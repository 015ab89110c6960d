"""Running SQL or Python that isn't ours: in a process of its own, behind every layer that this system has."""

from prepsql.sandbox.job import stage
from prepsql.sandbox.outcome import DEFAULT_LIMITS, SCRIPT_CHARACTERS, Language, Limits, Outcome, Status
from prepsql.sandbox.run import check_inputs, run_code
from prepsql.sandbox.server import Server, job_server
from prepsql.sandbox.servers import Servers, job_servers
from prepsql.sandbox.several import run_several
from prepsql.sandbox.transform import Returns, Transformed, run_scalar, run_transform

__all__ = [
    "DEFAULT_LIMITS",
    "SCRIPT_CHARACTERS",
    "Language",
    "Limits",
    "Outcome",
    "Returns",
    "Server",
    "Servers",
    "Status",
    "Transformed",
    "check_inputs",
    "job_server",
    "job_servers",
    "run_code",
    "run_scalar",
    "run_several",
    "run_transform",
    "stage",
]
