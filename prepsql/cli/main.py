"""The command line: a group whose commands load when called, and the one place where errors become a line."""

from __future__ import annotations

import errno
import importlib
import io
import signal
import sys
import traceback

import click

from prepsql.cli.terminal import harmless
from prepsql.errors import PrepsqlError

# one command a module, in the order of the help page
COMMANDS = (
    "eval", "score", "report", "profile", "compare", "translate", "import", "check", "run", "sql", "macros", "tasks",
    "sandbox",
)  # fmt: skip


class _Commands(click.Group):
    """Finds command `x` as `command` in `prepsql.cli.x`, so that starting one loads no other."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"prepsql.cli.{cmd_name}_command")
        command: click.Command = module.command
        return command


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "PREPSQL"},
)
@click.version_option(package_name="prepsql")
@click.option("--debug", is_flag=True, help="Show the traceback of a failure.")
def cli(debug: bool) -> None:
    """Prepare tables, compare them, and measure the agents that do it."""


def main(argv: list[str] | None = None) -> None:
    """Run the command line and exit: 0 all is well, 1 a difference or a failure was found, 2 it could not be done."""
    arguments = sys.argv[1:] if argv is None else argv
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal may not know each character of a cell
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends a command as Ctrl-C does: nothing is left behind
    try:
        code = cli.main(args=arguments, prog_name="prepsql", standalone_mode=False)
    except click.exceptions.Exit as leave:
        code = leave.exit_code
    except SystemExit as leave:  # click's own answer to a closed pipe
        code = leave.code if isinstance(leave.code, int) else 1
    except click.ClickException as wrong:
        wrong.show()
        code = wrong.exit_code
    except BaseException as failure:
        if "--debug" in arguments:
            traceback.print_exc()
        code = _explain(failure)
    sys.exit(code if isinstance(code, int) else 0)


def _explain(failure: BaseException) -> int:
    """Print the failure as one line on standard error and return the exit code."""
    if isinstance(failure, PrepsqlError):
        message, code = str(failure), failure.exit_code
    elif isinstance(failure, click.Abort | KeyboardInterrupt):
        message, code = "interrupted; what was finished is kept", 2
    elif isinstance(failure, BrokenPipeError):
        sys.stderr.close()
        return 1
    elif isinstance(failure, OSError) and failure.errno == errno.ENOSPC:
        message, code = (
            f"no space left on the disk for {failure.filename or 'the output'}: free some and run again",
            2,
        )
    elif isinstance(failure, OSError):
        message, code = f"{failure.filename or 'file system'}: {failure.strerror or failure}", 2
    else:
        message, code = (
            f"unexpected {type(failure).__name__}: {failure} (run again with --debug before the command)",
            2,
        )
    print("prepsql: " + harmless(" ".join(message.split())), file=sys.stderr)  # noqa: T201
    return code
