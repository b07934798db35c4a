#!/usr/bin/env python3
# SPDX-License-Identifier: AGPL-3.0-or-later
"""What bench/load makes of the output of wrk: figures, or one sentence when there are too few answers for them."""
import importlib.machinery
import importlib.util
import pathlib
import unittest

LOAD = pathlib.Path(__file__).resolve().parents[2] / "bench" / "load"

WHOLE = """Running 5s test @ http://127.0.0.1:1/
  1 threads and 1 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.44ms    4.29ms  61.50ms   98.06%
    Req/Sec     1.03k   300.00     1.50k    70.00%
  Latency Distribution
     50%  800.00us
     75%    0.95ms
     90%    1.20ms
     99%   21.30ms
  5120 requests in 5.00s, 9.00MB read
Requests/sec:   1024.00
Transfer/sec:      1.80MB
"""


def load():
    loader = importlib.machinery.SourceFileLoader("load", str(LOAD))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("load", loader))
    loader.exec_module(module)
    return module


class Figures(unittest.TestCase):
    figures_of = staticmethod(load().figures_of)

    def test_are_read_in_milliseconds(self):
        self.assertEqual(self.figures_of("/", WHOLE), {
            "requests": 5120, "per_second": 1024.0, "p50": 0.8, "p99": 21.3, "longest": 61.5})

    def test_that_are_missing_end_the_run_with_a_sentence(self):
        wanted = ("    Latency", "     50%", "     99%", "  5120 requests", "Requests/sec")
        for line in filter(lambda line: line.startswith(wanted), WHOLE.splitlines()):
            with self.subTest(line), self.assertRaisesRegex(SystemExit, "answered too seldom"):
                self.figures_of("/", WHOLE.replace(line + "\n", ""))

    def test_that_are_no_numbers_end_it_as_well(self):
        with self.assertRaisesRegex(SystemExit, "answered too seldom"):
            self.figures_of("/", WHOLE.replace("21.30ms", "-nanus"))


if __name__ == "__main__":
    unittest.main(verbosity=0)
