"""Calls methods of the Python client library.

Arguments: a configuration file. Each line of standard input is a JSON object with the members "method", "args" and
"kwargs"; {"file": path} in "args" is opened. Each is answered by one line with what the method returns. A callback
is given to methods whose name begins with "call_on_each_"; each line is then what it is called with. Without a
method, the answer is the list of all methods.
"""

import inspect
import json
import sys

import zulip


def to_argument(value: object) -> object:
    """Opens a file where the argument is one."""
    if isinstance(value, dict) and list(value) == ["file"]:
        return open(value["file"], "rb")
    return value


def answer(value: object) -> None:
    """Prints a value as one line of JSON."""
    print(json.dumps(value), flush=True)


def main() -> None:
    """Serves requests until standard input ends."""
    client = zulip.Client(config_file=sys.argv[1])
    for line in sys.stdin:
        request = json.loads(line)
        name = request.get("method")
        if name is None:
            answer([name for name, _ in inspect.getmembers(zulip.Client, inspect.isfunction) if name[0] != "_"])
        elif name.startswith("call_on_each_"):
            getattr(client, name)(answer, **request["kwargs"])
        else:
            args = [to_argument(value) for value in request["args"]]
            answer(getattr(client, name)(*args, **request["kwargs"]))


main()
