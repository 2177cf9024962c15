"""Strategies and parameter servers over several processes: worker_cases.py has the programs, data/worker_cases.json what TensorFlow
gives."""

import json
import os
import signal

import pytest
import worker_cases
from worker_cases import CASES, name_of

try:
    worker_cases.tf.distribute.Server.create_local_server()
except worker_cases.tf.errors.FailedPreconditionError as error:  # a build without connections
    pytest.skip(str(error).partition("\n")[0], allow_module_level=True)

HERE = os.path.dirname(os.path.abspath(__file__))


@pytest.fixture(scope="module")
def recorded():
    with open(os.path.join(HERE, "data", "worker_cases.json")) as file:
        return json.load(file)


def equal(got, want):
    """Whether values are alike, numbers up to the last bits."""
    if isinstance(want, dict):
        return got.keys() == want.keys() and all(equal(got[k], want[k]) for k in want)
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(equal, got, want))
    if isinstance(want, float):
        return abs(got - want) <= 1e-6 * max(1.0, abs(want))
    return got == want


@pytest.mark.once
@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_as_tensorflow(case, recorded, tmp_path):
    cluster = worker_cases.addresses(case[1], str(tmp_path))
    for got, want in zip(worker_cases.outcomes(case, cluster), recorded[name_of(case)], strict=True):
        assert equal(got, want), (got, want)


@pytest.mark.once
def test_two_strategies(tmp_path):
    jobs = {"worker": 2}
    case = worker_cases.two_strategies, jobs
    assert worker_cases.outcomes(case, worker_cases.addresses(jobs, str(tmp_path))) == [[3.0, 21.0, 5.0]] * 2


# ---- faults


@pytest.mark.once
@pytest.mark.parametrize("how", ["kill", "stop"])
def test_functions_of_workers_that_go_are_run_by_others(how, tmp_path):
    jobs = {"chief": 1, "worker": 2, "ps": 1}
    cluster = worker_cases.addresses(jobs, str(tmp_path))

    def start(job, i):
        return worker_cases.start("workers_come_and_go", cluster, job, i, SLUICE_HEARTBEAT_MS="1500")

    tasks = {(job, i): start(job, i) for job, n in jobs.items() for i in range(n)}
    chief = tasks["chief", 0]

    def go_on(line):
        chief.stdin.write("\n")
        chief.stdin.flush()
        assert chief.stdout.readline() == line

    try:
        assert chief.stdout.readline() == "ran\n"
        tasks["worker", 1].send_signal(signal.SIGKILL if how == "kill" else signal.SIGSTOP)
        if how == "stop":  # until all of its threads have
            os.waitid(os.P_PID, tasks["worker", 1].pid, os.WSTOPPED | os.WNOWAIT)
        go_on("ran\n")
        if how == "kill":
            tasks["worker", 1].communicate()
            os.unlink(cluster["worker"][1].removeprefix("unix:"))
            tasks["worker", 1] = start("worker", 1)
        else:
            tasks["worker", 1].send_signal(signal.SIGCONT)
        go_on("ran\n")
        go_on("server\n")
        tasks["ps", 0].kill()
        chief.stdin.write("\n")
        made, kind, text = last_line(chief)
        assert made == [180, 180, 180]
        assert kind == "UnavailableError", text
    finally:
        for t in tasks.values():
            t.kill()
            t.communicate()


def last_line(task):
    out, err = task.communicate(timeout=60)
    assert task.returncode == 0, err[-3000:]
    return json.loads(out.splitlines()[-1])


@pytest.mark.once
@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_worker_that_dies_is_named(gone, tmp_path):
    cluster = worker_cases.addresses({"worker": 3}, str(tmp_path))
    tasks = [worker_cases.start("a_worker_dies", cluster, "worker", i, WORKER_THAT_DIES=str(gone)) for i in range(3)]
    try:
        for i in {0, 1, 2} - {gone}:
            kind, text = last_line(tasks[i])
            assert kind == "UnavailableError" and f"/job:worker/replica:0/task:{gone}" in text, (kind, text)
    finally:
        for t in tasks:
            t.kill()
            t.communicate()


@pytest.mark.once
@pytest.mark.parametrize("gone", [0, 1])
def test_a_worker_at_its_end_is_needed_by_one_that_begins_anew(gone, tmp_path):
    cluster = worker_cases.addresses({"worker": 2}, str(tmp_path))

    def start(i, **environment):
        return worker_cases.start("a_worker_begins_anew", cluster, "worker", i, **environment)

    tasks = [start(gone, WORKER_WAITS="1"), start(1 - gone)]
    try:
        assert tasks[0].stdout.readline() == "waits\n"
        assert tasks[1].stdout.readline() == "2.0\n"  # and now it waits for the other one at its end
        tasks[0].kill()
        tasks.append(start(gone))
        assert tasks[1].wait(timeout=60) == 1
        assert "Other workers have begun anew" in tasks[1].stderr.read()
        tasks.append(start(1 - gone))
        for t in tasks[2:]:
            assert last_line(t) == 2.0
    finally:
        for t in tasks:
            t.kill()
            t.communicate()


@pytest.mark.once
@pytest.mark.parametrize("missing, kind, part", [(1, "DeadlineExceededError", "1 of 2 members have come"),
                                                 (0, "UnavailableError", "/job:worker/replica:0/task:0")])  # fmt: skip
def test_a_worker_that_does_not_come(missing, kind, part, tmp_path):
    cluster = worker_cases.addresses({"worker": 2}, str(tmp_path))
    found, text = last_line(worker_cases.start("a_worker_does_not_come", cluster, "worker", 1 - missing))
    assert found == kind and part in text, (found, text)


@pytest.mark.once
def test_others_go_on_without_a_worker_and_take_it_in_again(tmp_path):
    cluster = worker_cases.addresses({"worker": 3}, str(tmp_path))

    def start(i, *seen):
        return worker_cases.start(
            "an_elastic_worker", cluster, "worker", i, WORKERS_SEEN=json.dumps(seen), SLUICE_HEARTBEAT_MS="5000"
        )

    tasks = [start(0, 3, 2, 3), start(1, 3, 2, 3), start(2, 0)]
    try:
        assert tasks[2].stdout.readline() == "3\n"
        tasks[2].kill()
        said = tasks[0].stdout.readline()
        while said != "2\n":
            said = tasks[0].stdout.readline()
            assert said
        tasks.append(start(2, 3))
        for t in (tasks[0], tasks[1], tasks[3]):
            assert last_line(t)[-1] == 3
    finally:
        for t in tasks:
            t.kill()
            t.communicate()


@pytest.mark.once
@pytest.mark.parametrize("dies, begins", [(1, 0), (3, 10), (4, 20)])
def test_a_coordinator_goes_on_where_it_was(dies, begins, tmp_path):
    jobs = {"chief": 1, "worker": 2, "ps": 1}
    cluster = worker_cases.addresses(jobs, str(tmp_path))

    def start(job, i, **environment):
        name, folder = "a_coordinator_that_is_killed", str(tmp_path)
        return worker_cases.start(name, cluster, job, i, COORDINATOR_FOLDER=folder, **environment)

    tasks = [start(job, i) for job in ("worker", "ps") for i in range(jobs[job])]
    try:
        tasks.append(start("chief", 0, COORDINATOR_DIES=str(dies)))
        assert tasks[-1].wait(timeout=120) == 1, tasks[-1].stderr.read()
        tasks[-1].communicate()
        if os.path.exists(f"{tmp_path}/chief0"):
            os.unlink(f"{tmp_path}/chief0")
        tasks.append(start("chief", 0))
        named = ["/job:ps/task:0", "/job:worker/task:0", "/job:worker/task:1"] if begins else []
        assert last_line(tasks[-1]) == [begins, 780.0, 1, named]
    finally:
        for t in tasks:
            t.kill()
            t.communicate()


def test_state_files(tmp_path):
    from sluice.training.coordinator_state import StateFile

    errors, path = worker_cases.tf.errors, str(tmp_path / "state")
    first = StateFile(path)
    assert first.found is None
    for step in (1, 2):
        first.record(step, None, {"/job:ps/task:0": 5})
    with open(path) as file:
        whole = file.read()
    second = StateFile(path)
    assert second.found == (1, 2, None, {"/job:ps/task:0": 5})
    with pytest.raises(errors.FailedPreconditionError, match="number 1, has been replaced by number 2"):
        first.record(3, None, {})
    second.record(4, None, {})
    for bad in (whole[:-20], "", "[]", whole.replace("5", "6")):
        with open(path, "w") as file:
            file.write(bad)
        assert StateFile(path).found.step == 2  # the one before is of the second's beginning
        os.replace(path + ".before", path + ".bad")
        second = StateFile(path)
        second.record(2, None, {})
    for name in (path, path + ".before"):
        with open(name, "w") as file:
            file.write(whole[:30])
    with pytest.raises(errors.DataLossError, match="cannot go on where it was.*state.before"):
        StateFile(path)
    os.unlink(path)
    os.unlink(path + ".before")
    StateFile(path).record(7, str(tmp_path / "gone"), {})
    assert StateFile(path).found.step == 0  # its checkpoint is not there
    with pytest.raises(errors.UnknownError, match="cannot be written"):
        StateFile(str(tmp_path / "none" / "state"))
