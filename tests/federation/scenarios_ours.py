# SPDX-License-Identifier: AGPL-3.0-or-later
"""Two Dunlins."""
from between import *  # noqa: F401,F403
from servers import Dunlin

NEEDS = "nobody"


class Stage:
    def __init__(self, folder, _):
        self.here, self.there = Dunlin(folder / "here"), Dunlin(folder / "there")
        self.servers = [self.here, self.there]
