#!/usr/bin/env python3
"""An adapter with a fault: mutant.py FAULT COMMAND... runs another adapter, and changes its answers.

check.py runs each fault of FAULTS: a suite in which a faulty library passes is of no use.
"""

import json
import subprocess
import sys
import time


def accepts_everything(ask, answer):
    if "valid" in answer:
        answer["valid"] = True


def refuses_everything(ask, answer):
    if "valid" in answer:
        answer["valid"] = False


def empty_is_absent(ask, answer):
    for name, part in answer.get("components", {}).items():
        if part == "" and name != "path":
            answer["components"][name] = None


def lower_case(ask, answer):
    if "result" in answer:
        answer["result"] = answer["result"].lower()


def everything_is_equal(ask, answer):
    if "equal" in answer:
        answer["equal"] = True


def order_matters(ask, answer):
    if ask["op"] == "compare":
        answer["equal"] = answer["equal"] or ask["a"] < ask["b"]


def grows(ask, answer):
    """Normalization of its result is another text."""
    if ask["op"] == "normalize" and ask["input"].endswith("#"):
        answer["result"] += "x"


def answers_in_numbers(ask, answer):
    answer |= {name: int(value) for name, value in answer.items() if isinstance(value, bool)}


def components_are_a_list(ask, answer):
    if "components" in answer:
        answer["components"] = list(answer["components"])


def nests_deeply(ask, answer):
    if ask["op"] == "compare":
        print("[" * 100_000, flush=True)


def writes_without_end(ask, answer):
    while ask["op"] == "compare":
        print("x" * 1_000_000, end="", flush=True)


def crashes(ask, answer):
    """Not in FAULTS: check.py looks at the cases after a crash."""
    if ask["op"] == "compare":
        sys.exit(1)


def writes_nonsense(ask, answer):
    if ask["op"] == "compare":
        print("no JSON", flush=True)


def answers_another(ask, answer):
    answer["seq"] += 1


def knows_no_operation(ask, answer):
    """Not in FAULTS: nothing fails, and nothing passes."""
    answer.clear()
    answer |= {"seq": ask["seq"], "unsupported": True}


def sleeps(ask, answer):
    """Not in FAULTS: check.py runs it on one case."""
    time.sleep(60)


FAULTS = [
    accepts_everything, refuses_everything, empty_is_absent, lower_case, everything_is_equal, order_matters, grows,
    writes_nonsense, answers_another, answers_in_numbers, components_are_a_list, nests_deeply, writes_without_end,
]  # fmt: skip


def main():
    fault = globals()[sys.argv[1]]
    pipe = subprocess.PIPE
    adapter = subprocess.Popen(sys.argv[2:], stdin=pipe, stdout=pipe, encoding="utf-8")
    print(adapter.stdout.readline(), end="", flush=True)
    for line in sys.stdin:
        adapter.stdin.write(line)
        adapter.stdin.flush()
        answer = json.loads(adapter.stdout.readline())
        fault(json.loads(line), answer)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
