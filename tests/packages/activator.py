# SPDX-License-Identifier: AGPL-3.0-or-later
"""Does what systemd does for a unit with a socket: keeps the socket, starts the program with it, hears what it says."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("DUNLIN", "LISTEN", "NOTIFY"))}


class Activator:
    def __init__(self, folder, program, *settings):
        self.folder, self.log = folder, folder / "log"
        self.program = folder / "dunlin"
        shutil.copy2(program, self.program)
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen(4096)
        self.port = self.socket.getsockname()[1]
        self.heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.ear = pathlib.Path(tempfile.mkdtemp(prefix="dunlin-ear-")) / "notify"
        self.heard.bind(str(self.ear))
        self.where = ["--data", str(folder / "data"), "--public-url", f"http://localhost:{self.port}"]
        self.settings = ["--no-rate-limits", *settings]
        self.process = None

    def start(self):
        """Seconds until it said READY=1."""
        begun = time.monotonic()
        environment = ENVIRONMENT | {"NOTIFY_SOCKET": str(self.ear), "LISTEN_FDS": "1", "LISTEN_FDNAMES": "http"}
        kept = self.socket.fileno()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", 'LISTEN_PID=$$ exec "$@"', "sh", str(self.program), "serve", *self.where, *self.settings],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, pass_fds=[3],
                preexec_fn=lambda: os.dup2(kept, 3) if kept != 3 else os.set_inheritable(3, True))
        self.wait_for(b"READY=1", 120)
        return time.monotonic() - begun

    def wait_for(self, word, seconds):
        self.heard.settimeout(1)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if word in self.heard.recv(4096):
                    return
            except TimeoutError:
                if self.process.poll() is not None:
                    raise RuntimeError(f"it ended with {self.process.returncode}:\n{self.tail()}") from None
        raise RuntimeError(f"{word} was not heard within {seconds} s:\n{self.tail()}")

    def stop(self):
        """Seconds until it had ended."""
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(30)
        if status:
            raise RuntimeError(f"it ended with {status}:\n{self.tail()}")
        return time.monotonic() - begun

    def upgrade(self, program):
        """Another file in its place, as dpkg puts it there, while it runs."""
        new = self.program.with_suffix(".dpkg-new")
        shutil.copy2(program, new)
        os.replace(new, self.program)

    def end(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.socket.close()
        self.heard.close()
        shutil.rmtree(self.ear.parent)

    def tail(self):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-20:])

    def errors(self):
        return [line for line in self.log.read_text(errors="replace").splitlines() if " error: " in line]

    def run(self, *words):
        done = subprocess.run([str(self.program), *words, *self.where], env=ENVIRONMENT, text=True, capture_output=True)
        if done.returncode:
            raise RuntimeError(f"dunlin {' '.join(words[:3])} ended with {done.returncode}: {done.stderr}")
        return done.stdout.strip()
