"""Runs a program in a pseudo-terminal of 120 x 40 characters.

Each line of standard input is a JSON object. Its member "keys" is typed. Each is answered by one line with the
member "screen", the lines of text on the screen, and "status", the program's exit status or null.
"""

import json
import os
import select
import signal
import struct
import sys
import termios
from fcntl import ioctl
from pty import fork

import pyte

COLUMNS, ROWS = 120, 40


def start(program: list[str]) -> tuple[int, int]:
    """Starts the program and returns its process id and the terminal."""
    pid, terminal = fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execvp(program[0], program)
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    os.kill(pid, signal.SIGWINCH)
    return pid, terminal


def main() -> None:
    """Serves requests until standard input ends, then kills the program."""
    pid, terminal = start(sys.argv[1:])
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    status = None
    while True:
        sources = [sys.stdin] if status is not None else [sys.stdin, terminal]
        ready, _, _ = select.select(sources, [], [])
        if terminal in ready:
            try:
                stream.feed(os.read(terminal, 65536))
            except OSError:
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        elif sys.stdin in ready:
            line = sys.stdin.readline()
            if line == "":
                break
            keys = json.loads(line).get("keys")
            if keys is not None and status is None:
                os.write(terminal, keys.encode())
            answer = {"screen": [row.rstrip() for row in screen.display], "status": status}
            print(json.dumps(answer, ensure_ascii=False), flush=True)
    if status is None:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


main()
