#!/usr/bin/env python3
"""The gallery of broken programs: each is run by the command, which has to say what a good colleague would say of it.

    tests/explain/gallery.py SLUICE FILE... [--only NAME] [--show] [--runs-only]

A file has cases:

    == name: what is wrong with it
    $ run --feed x=[1,2] --watch-nan
    > a text that the command says, in one line; <...> stands for any characters. Several lines may begin with >.
    x = Placeholder dtype=float shape=[-1]
    one = Const 1.0
    y = Div x one ^x T=float

A line "B: NODE" is of a second graph, which is the first with that node in place of the one of its name; OTHER among the
arguments is its file.

A node is NAME = OP INPUT... ATTR=VALUE.... Inputs are as in a GraphDef. A value is a number, 'text', a type, a shape in
brackets, true or false; types:float,int32 is a list of types, ints:1,2
one of numbers. Const takes a number or a list of numbers, with a decimal
point for float, else int32; dtype=half and so on makes them of another type. T is float when an op wants it and the line
does not say. --show prints what the command says. --runs-only fails only where a sanitizer reports something: builds with
one take their time for other things than what a program is slow for.
"""
import argparse
import ast
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TYPES = {'float': 1, 'double': 2, 'int32': 3, 'string': 7, 'int64': 9, 'bool': 10, 'half': 19, 'resource': 20, 'variant': 21}
HAVE_NO_T = re.compile(r'Placeholder|Const|.*Queue.*|NoOp|LoopCond|.*VariableOp|VarHandleOp|Mutex.*|.*Stage.*|Barrier.*|'
                       r'.*Accumulator.*|Random.*|OneHot|Cast|Range|.*Dataset|.*Iterator.*|GatherV2|.*Reader.*')


def attr(name, value):
    """One attribute as text."""
    if value.startswith('types:'):
        inner = 'list { ' + ' '.join(f'type: {TYPES[t]}' for t in value[6:].split(',')) + ' }'
    elif value.startswith('ints:'):
        inner = 'list { ' + ' '.join(f'i: {i}' for i in value[5:].split(',')) + ' }'
    elif value in TYPES:
        inner = f'type: {TYPES[value]}'
    elif value in ('true', 'false'):
        inner = f'b: {value}'
    elif name in ('shapes', 'output_shapes'):
        inner = 'list { ' + 'shape { } ' * max(value.count('[') - 1, 1) + '}'
    elif value.startswith('['):
        inner = 'shape { ' + ' '.join(f'dim {{ size: {d} }}' for d in ast.literal_eval(value)) + ' }'
    elif value.startswith("'"):
        inner = f's: "{value[1:-1]}"'
    elif '.' in value:
        inner = f'f: {value}'
    else:
        inner = f'i: {value}'
    return f'attr {{ key: "{name}" value {{ {inner} }} }}'


def constant(text, dtype):
    """The attributes of a Const."""
    value = ast.literal_eval(text.replace('nan', '"nan"').replace('inf', '"inf"'))
    items = value if isinstance(value, list) else [value]
    if not dtype:
        dtype = 'float' if re.search(r'[.ni]', text) else 'int32'
    field = {'float': 'float_val', 'double': 'double_val', 'int32': 'int_val', 'int64': 'int64_val', 'bool': 'bool_val', 'half': 'half_val', 'string': 'string_val'}[dtype]
    shape = f'dim {{ size: {len(items)} }}' if isinstance(value, list) else ''
    shown = {'bool': lambda i: str(i).lower(), 'string': lambda i: f'"{i}"'}.get(dtype, str)
    words = ' '.join(f'{field}: {shown(i)}' for i in items)
    tensor = f'tensor {{ dtype: {TYPES[dtype]} tensor_shape {{ {shape} }} {words} }}'
    return f'attr {{ key: "dtype" value {{ type: {TYPES[dtype]} }} }} attr {{ key: "value" value {{ {tensor} }} }}'


def node(line):
    """A line of a case as a NodeDef."""
    name, rest = (part.strip() for part in line.split(' = ', 1))
    op, *words = rest.split()
    attrs = dict(w.split('=', 1) for w in words if '=' in w)
    inputs = [w for w in words if '=' not in w]
    if op == 'Const':
        text = constant(inputs.pop(0), attrs.get('dtype'))
    else:
        if 'T' not in attrs and not HAVE_NO_T.fullmatch(op):
            attrs['T'] = 'float'
        text = ' '.join(attr(*a) for a in attrs.items())
    return f'node {{ name: "{name}" op: "{op}" ' + ' '.join(f'input: "{i}"' for i in inputs) + f' {text} }}'


def cases(path):
    """(name, arguments, wanted lines, nodes, nodes of the other graph) of each case of a file."""
    for part in re.split(r'(?m)^== ', path.read_text())[1:]:
        lines = [line for line in part.split('\n') if line.strip() and not line.startswith('#')]
        name = lines[0].split(':')[0]
        arguments = next(line[2:].split() for line in lines if line.startswith('$ '))
        wanted = [line[2:] for line in lines if line.startswith('> ')]
        written = [line for line in lines[1:] if line[0] not in '$>']
        nodes = {line.split()[0]: line for line in written if not line.startswith('B: ')}
        others = nodes | {line.split()[1]: line[3:] for line in written if line.startswith('B: ')}
        yield name, arguments, wanted, [node(line) for line in nodes.values()], [node(line) for line in others.values()]


def run(sluice, arguments, nodes, others):
    """What the command says, on either stream."""
    with tempfile.TemporaryDirectory() as folder:
        graph, other = Path(folder) / 'graph.pbtxt', Path(folder) / 'other.pbtxt'
        for path, lines in ((graph, nodes), (other, others)):
            path.write_text('\n'.join(lines) + '\nversions { producer: 1395 }\n')
        command = [sluice, arguments[0], str(graph), *(str(other) if a == 'OTHER' else a for a in arguments[1:])]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, cwd=folder)
    return done.stdout


def slower(arguments, times):
    """The same, with more time for a machine that is busy."""
    timed = [a in ('--timeout', '--explain-stuck') for a in arguments]
    return [str(float(a) * times) if after else a for a, after in zip(arguments, [False, *timed])]


def check(sluice, arguments, wanted, nodes, others):
    """What the command said, and which of the wanted lines are missing."""
    for times in (1, 5, 25):
        said = run(sluice, slower(arguments, times), nodes, others)
        missing = [w for w in wanted if not re.search('.*'.join(map(re.escape, w.split('<...>'))), said)]
        if not missing or '--timeout' not in arguments:
            break
    return said, missing


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('sluice')
    parser.add_argument('files', nargs='+', type=Path)
    parser.add_argument('--only')
    parser.add_argument('--show', action='store_true')
    parser.add_argument('--runs-only', action='store_true')
    options = parser.parse_args()
    passed, failed = 0, 0
    for path in options.files:
        for name, arguments, wanted, nodes, others in cases(path):
            if options.only and options.only != name:
                continue
            said, missing = check(str(Path(options.sluice).resolve()), arguments, wanted, nodes, others)
            if options.runs_only:
                missing = ['no report'] if 'Sanitizer' in said or 'runtime error:' in said else []
            passed, failed = passed + (not missing), failed + bool(missing)
            if missing or options.show:
                print(f'{path.name}: {name}\n{said}' + ''.join(f'  wanted: {m}\n' for m in missing))
    print(f'{passed} passed, {failed} failed')
    return failed > 0 or not passed


if __name__ == '__main__':
    sys.exit(main())
