# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether what people were answered can have happened: for one object at a time, each answered operation took effect once
between its call and its answer, each unanswered one at some time after its call or never, and what is there at the end came
of that (linearizability)."""
import dataclasses
import math


@dataclasses.dataclass
class Operation:
    kind: str
    called: float
    ended: float | None = None      # None: no answer came
    outcome: str = "ok"             # or "refused", where it was answered
    who: str = ""
    value: object = None


class Switch:
    """Something that is on or off: a favourite. Both ways may be asked for again."""
    begin = False

    @staticmethod
    def step(state, operation):
        return operation.kind == "on", "ok"


class Pair:
    """Two accounts: who follows and blocks whom. A block ends follows both ways, and none can be followed then."""
    begin = frozenset()

    @staticmethod
    def step(state, operation):
        mine = operation.who
        other = "b" if mine == "a" else "a"
        if operation.kind == "follow":
            if ("block", mine) in state or ("block", other) in state:
                return state, "refused"
            return state | {("follow", mine)}, "ok"
        if operation.kind == "unfollow":
            return state - {("follow", mine)}, "ok"
        if operation.kind == "block":
            return (state | {("block", mine)}) - {("follow", mine), ("follow", other)}, "ok"
        return state - {("block", mine)}, "ok"


class Vote:
    """What somebody votes for in a poll: once."""
    begin = None

    @staticmethod
    def step(state, operation):
        return (operation.value, "ok") if state is None else (state, "refused")


def explains(model, operations, end, at_work=math.inf):
    """Whether some order of the operations is possible and leaves `end`. What is not answered is over `at_work` seconds after
    its call."""
    operations = sorted(operations, key=lambda o: o.called)
    ended = [math.inf if o.ended is None else o.ended for o in operations]
    answered = sum(1 << i for i, o in enumerate(operations) if o.ended is not None)
    seen, waiting = set(), [(0, model.begin)]
    while waiting:
        done, state = waiting.pop()
        if (done, state) in seen:
            continue
        seen.add((done, state))
        now = operations[done.bit_length() - 1].called if done else -math.inf
        if done & answered == answered and state == end:
            return True
        # Nothing that was called later comes before what has ended.
        first = min((ended[i] for i in range(len(operations)) if not done >> i & 1), default=math.inf)
        for i, operation in enumerate(operations):
            if operation.called > first:
                break
            if done >> i & 1:
                continue
            after, outcome = model.step(state, operation)
            if operation.ended is None:
                # What changes nothing might as well not have happened.
                if after != state and now <= operation.called + at_work:
                    waiting.append((done | 1 << i, after))
            elif outcome == operation.outcome:
                waiting.append((done | 1 << i, after))
    return False


def told(operations):
    lines = []
    for o in sorted(operations, key=lambda o: o.called):
        answer = f"{o.outcome} at {o.ended:.3f}" if o.ended is not None else "no answer"
        lines.append(f"{o.called:.3f} {o.who} {o.kind} {o.value if o.value is not None else ''}: {answer}")
    return "; ".join(lines)
