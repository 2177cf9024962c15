"""The programs of programs/ give what TensorFlow gives: as Python, as a tf.function, and converted by AutoGraph but run at once."""

import program_outcomes
import programs
import pytest

PROGRAMS = programs.load()
STORED = program_outcomes.read()
CASES = [
    (name, i, way)
    for name, program in PROGRAMS.items()
    for i in range(len(program.cases) if program.cases is not None else 1)
    for way in (("python", "function", "converted") if program.cases is not None else ("python",))
]


def _compare(made, expected, program, by_values):
    if "error" in expected:
        assert "error" in made, f"{made} where TensorFlow raises {expected['error'][0]}: {expected['message']}"
        assert expected["error"][0] in made["error"], f"{made['error'][0]}: {made['message']}\nnot {expected}"
        return
    assert "error" not in made, f"{made['error'][0]}: {made['message']}\nnot {expected}"
    if by_values:
        made, expected = program_outcomes.plain(made["value"]), program_outcomes.plain(expected["value"])
    assert program_outcomes.equal(made, expected, program.tolerance), f"\n{made}\nnot\n{expected}"


@pytest.mark.parametrize("name, i, way", CASES, ids=lambda v: str(v))
def test_program(name, i, way):
    program = PROGRAMS[name]
    arguments = program.cases[i] if program.cases is not None else ()
    made = program_outcomes.outcome(program, way, arguments)
    in_python, in_function = (STORED[name][i] * 2)[:2]
    if way == "function" and not program.beyond:
        _compare(made, in_function, program, by_values=False)
    else:
        _compare(made, in_python, program, by_values=way != "python")


def test_what_is_beyond_tensorflow_is():
    """The reasons stand only where TensorFlow fails, or gives another result than Python does."""
    for name, program in PROGRAMS.items():
        if program.beyond:
            made = [[program_outcomes.plain(one.get("value", "error")) for one in case] for case in STORED[name]]
            assert any(case[-1] == "error" or case[0] != case[-1] for case in made), name
