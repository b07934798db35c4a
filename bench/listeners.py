# SPDX-License-Identifier: AGPL-3.0-or-later
"""Many WebSockets that listen, in a process of their own; it notes when each hears of something."""
import array
import multiprocessing
import select
import time

from websocket import PING, PONG, Frames, handshake

AT_ONCE = 200


class Crowd:
    """Runs in the child."""

    def __init__(self, pipe):
        self.pipe = pipe
        self.epoll = select.epoll()
        self.epoll.register(pipe.fileno(), select.EPOLLIN)
        self.sockets, self.usual = {}, 0
        self.frames = {}  # of those whose last one is not whole
        self.arrivals = array.array("d")

    def live(self):
        while True:
            self.look(1)
            if self.pipe.poll():
                what, *more = self.pipe.recv()
                if what == "end":
                    return
                self.pipe.send(getattr(self, what)(*more))

    def open(self, port, targets):
        for first in range(0, len(targets), AT_ONCE):
            for target, token in targets[first:first + AT_ONCE]:
                client = handshake(port, target, token)
                client.setblocking(False)
                self.sockets[client.fileno()] = client
                self.epoll.register(client.fileno(), select.EPOLLIN)
            self.look(0)
        return len(self.sockets)

    def close(self):
        for client in self.sockets.values():
            client.close()
        self.sockets, self.frames = {}, {}

    def forget(self):
        self.arrivals = array.array("d")

    def arrived(self, count, seconds):
        """When each message came, once there are so many."""
        end = time.monotonic() + seconds
        while len(self.arrivals) < count and time.monotonic() < end:
            self.look(0.05)
        return sorted(self.arrivals)

    def look(self, seconds):
        for fd, _ in self.epoll.poll(seconds, 512):
            client = self.sockets.get(fd)
            if not client:
                continue
            try:
                data = client.recv(65536)
            except BlockingIOError:
                continue
            if not data:
                raise RuntimeError("a listener was sent away")
            frames = self.frames.get(fd)
            if len(data) == self.usual and not frames:
                self.arrivals.append(time.monotonic())
            else:
                self.take(fd, client, frames or Frames(), data)

    def take(self, fd, client, frames, data):
        for kind, content in frames.take(data):
            if kind == PING:
                client.send(PONG)
            else:
                if len(data) == len(content) + 4:  # it came whole and alone
                    self.usual = len(data)
                self.arrivals.append(time.monotonic())
        if frames.rest:
            self.frames[fd] = frames
        else:
            self.frames.pop(fd, None)


def run(pipe):
    crowd = Crowd(pipe)
    crowd.live()


class Listeners:
    """The same, as seen by the parent."""

    def __init__(self):
        self.pipe, end = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=run, args=[end], daemon=True)
        self.process.start()
        end.close()

    def ask(self, what, *more):
        self.pipe.send((what, *more))
        return self.pipe.recv()

    def end(self):
        self.pipe.send(("end",))
        self.process.join(10)
