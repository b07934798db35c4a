# SPDX-License-Identifier: AGPL-3.0-or-later
"""Many WebSockets that listen (bench/listeners.cpp, which is compiled here); it notes when each hears of something."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def program():
    source, made = ROOT / "bench/listeners.cpp", ROOT / "build/listeners"
    if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
        made.parent.mkdir(exist_ok=True)
        subprocess.run(["c++", "-std=c++20", "-O2", source, "-o", made], check=True)
    return made


class Listeners:
    def __init__(self):
        self.process = subprocess.Popen([program()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError("the listeners have ended")
        return answer.split()

    def open(self, port, targets):
        """How many are open; `targets`: (target, token) of each."""
        return int(self.ask(f"open {port} {len(targets)}", *(f"\n{target} {token}" for target, token in targets))[0])

    def forget(self):
        self.ask("forget")

    def arrived(self, count, seconds):
        """When each message came to its socket, once there are so many, in seconds of time.monotonic(). They are read once
        about all of them are there."""
        return sorted(int(one) / 1e6 for one in self.ask("arrived", count, int(seconds * 1000), 30 + count // 50))

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)
