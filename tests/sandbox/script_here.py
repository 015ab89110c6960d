"""A script run as the child runs it, in this process: for what the code says, where no wall matters."""

import datetime
import sys

import pyarrow as pa

from prepsql.sandbox import Limits, exchange
from prepsql.sandbox.child import query, scalar, transform
from prepsql.sandbox.child.report import Fault
from prepsql.sandbox.job import job_folder
from prepsql.sandbox.receive import receive

DAYS = [datetime.date(2024, 1, day) for day in (1, 2, 3)]
TABLE = pa.table(
    {
        "id": pa.array([1, 2, 3]),
        "amount": pa.array([10, None, 30]),
        "day": pa.array(DAYS),
        "note": pa.array(["a", "b", "a"]),
        "paid": pa.array([True, None, False]),
    }
)


def run_here(kind, code, table=TABLE, returns=None):
    """Return the report and the table taken over, None where the script is at fault."""
    limit = sys.getrecursionlimit()
    with job_folder() as job:
        exchange.write_all([table], job.inputs)
        try:
            if kind == "scalar":
                report = scalar.run(code, job.root, returns)
            else:
                report = {"python": transform, "sql": query}[kind].run(code, job.root, Limits(), ["df"])
        except Fault as fault:
            return fault.report, None
        finally:
            sys.setrecursionlimit(limit)
        return report, receive(job.out, Limits())
