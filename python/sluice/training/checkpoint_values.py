"""Variables that begin with values of a checkpoint: init_from_checkpoint and warm_start."""

from __future__ import annotations

import collections

from ..compat import v1
from ..core import dtypes, scopes, tensor, tensor_shape
from ..core.op_defs import op
from ..platform import logs
from ..saving import checkpoint_state
from . import training_variables
from .saveables import is_partitioned

VocabInfo = collections.namedtuple(
    "VocabInfo",
    "new_vocab new_vocab_size num_oov_buckets old_vocab old_vocab_size backup_initializer axis",
    defaults=(-1, None, 0),
)
VocabInfo.__doc__ = (
    "How a variable's rows (axis 0) or columns (1) follow words of a file: those of the new and of the old vocabulary, how "
    "many of the old ones count, and what makes the rows of new words."
)


def _prefix(path):
    import os

    path = os.fspath(path)
    if os.path.isdir(path):
        found = checkpoint_state.latest_checkpoint(path)
        if found is None:
            raise ValueError(f"Couldn't find 'checkpoint' file or checkpoints in given directory {path}")
        return found
    return path


def _is_variable(value):
    return training_variables.is_variable(value)


def _parts(value):
    """The variables that a value is made of."""
    if _is_variable(value):
        return [value]
    if isinstance(value, (list, tuple)) and value and all(_is_variable(v) for v in value):
        return list(value)
    return list(value)


def _full_name(variables):
    info = getattr(variables[0], "_save_slice_info", None)
    return info.full_name if info is not None else variables[0].op.name


def _full_shape(variables):
    info = getattr(variables[0], "_save_slice_info", None)
    return tensor_shape.TensorShape(info.full_shape) if info is not None else variables[0].get_shape()


def init_from_checkpoint(ckpt_dir_or_file, assignment_map):
    """Makes variables of the graph begin with values of a checkpoint, instead of what their initializers give.

    assignment_map: {"scope/ in the checkpoint": "scope/ of variables"}, or {name in the checkpoint: a variable, its name, or
    a list of its partitions}. ValueError when a name or scope has nothing on either side, or shapes differ.
    """
    reader = v1.train.load_checkpoint(ckpt_dir_or_file)
    shapes = reader.get_variable_to_shape_map()
    prefix = _prefix(ckpt_dir_or_file)
    scope_variables = v1.get_variable_scope()._var_store if hasattr(v1.get_variable_scope(), "_var_store") else None
    pairs = assignment_map.items() if isinstance(assignment_map, dict) else [(a, b) for a, b in assignment_map]
    for name, target in sorted(pairs, key=lambda p: str(p[0])):
        if _is_variable(target) or is_partitioned(target) or isinstance(target, (list, tuple)):
            _init_one(reader, shapes, prefix, name, _parts(target))
        elif name.endswith("/") or "/" == target[-1:]:
            _init_scope(reader, shapes, prefix, name, target)
        else:
            _init_one(reader, shapes, prefix, name, _named(target, scope_variables))


def _named(name, store):
    found = [v for v in v1.global_variables() if v.op.name == name]
    if not found:
        found = [
            v
            for v in v1.global_variables()
            if getattr(v, "_save_slice_info", None) is not None and v._save_slice_info.full_name == name
        ]
    if not found:
        raise ValueError(f"Tensor {name} is not found in this scope's variables")
    return found


def _init_scope(reader, shapes, prefix, old_scope, new_scope):
    if not old_scope.endswith("/") or not new_scope.endswith("/"):
        raise ValueError(
            f"Assignment map with scope only name {old_scope} should map to scope only {new_scope}. Should be 'scope/': "
            "'other_scope/'."
        )
    groups: dict[str, list] = collections.OrderedDict()
    for v in v1.global_variables():
        name = _full_name([v])
        if new_scope == "/" or name.startswith(new_scope):
            groups.setdefault(name, []).append(v)
    if not groups:
        raise ValueError(f"Assignment map with scope only name {new_scope}: there are no variables in it.")
    for name, variables in groups.items():
        rest = name if new_scope == "/" else name[len(new_scope) :]
        full = rest if old_scope == "/" else old_scope + rest
        if full not in shapes and rest.endswith("/part_0"):
            full = full[: -len("/part_0")]
        if full not in shapes:
            raise ValueError(
                f"Tensor {full} ({rest} in {new_scope}) is not found in {prefix} checkpoint {{{', '.join(sorted(shapes))}}}"
            )
        _init_one(reader, shapes, prefix, full, variables)


def _init_one(reader, shapes, prefix, name, variables):
    if name not in shapes:
        raise ValueError(f"Tensor {name} is not found in {prefix} checkpoint {shapes}")
    wanted = _full_shape(variables)
    if not wanted.is_compatible_with(shapes[name]):
        raise ValueError(
            f"Shape of variable {_full_name(variables)} ({wanted}) doesn't match with shape of tensor {name} "
            f"({shapes[name]}) from checkpoint reader."
        )
    for v in variables:
        set_checkpoint_initializer(v, prefix, name)
    logs.info("Initialize variable %s from checkpoint %s with %s", _full_name(variables), prefix, name)


def set_checkpoint_initializer(variable, prefix, name):
    """Makes the variable's initializer read a tensor of a checkpoint."""
    info = getattr(variable, "_save_slice_info", None)
    dtype = variable.dtype.base_dtype
    with scopes.device("/cpu:0"):
        value = op("RestoreV2")(
            prefix, [name], [info.spec if info is not None else ""], dtypes=[dtype], name="checkpoint_initializer"
        )
    value = value[0] if isinstance(value, (list, tuple)) else value
    if isinstance(value, tensor.EagerTensor):
        variable.assign(value)
        return
    value.set_shape(variable.shape)
    _begin_with(variable, value)


def _begin_with(variable, value):
    """The value is what the variable's initializer assigns from here on."""
    done = variable.assign(value, read_value=False)
    variable._initializer = done.op if isinstance(done, tensor.Tensor) else done
    variable._initial_value = value


# ---- warm start


def _groups_to_warm_start(vars_to_warm_start):
    """name -> the variables of it, or its partitions."""
    if isinstance(vars_to_warm_start, str) or vars_to_warm_start is None:
        logs.info("Warm-starting variables only in TRAINABLE_VARIABLES.")
        key = v1.GraphKeys.TRAINABLE_VARIABLES
        found = [] if vars_to_warm_start is None else v1.get_collection(key, scope=vars_to_warm_start)
    elif isinstance(vars_to_warm_start, list) and all(isinstance(v, str) for v in vars_to_warm_start):
        found = [v for s in vars_to_warm_start for v in v1.get_collection(v1.GraphKeys.GLOBAL_VARIABLES, scope=s)]
    elif isinstance(vars_to_warm_start, list) and all(_is_variable(v) for v in vars_to_warm_start):
        found = vars_to_warm_start
    else:
        raise ValueError(
            "If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  Given types are "
            f"{[type(v) for v in vars_to_warm_start]}"
        )
    groups: dict[str, list] = {}
    for v in found:
        if not _is_variable(v):
            raise ValueError("All elements of vars_to_warm_start must be variables")
        members = groups.setdefault(_full_name([v]), [])
        if all(m is not v for m in members):
            members.append(v)
    return groups


def _names_of_objects(reader):
    """Names of variables -> keys, when the checkpoint is one of objects; else None."""
    from ..core import messages

    key = "_CHECKPOINTABLE_OBJECT_GRAPH"
    if not reader.has_tensor(key):
        return None
    objects = messages.TrackableObjectGraph.FromString(reader.get_tensor(key))
    return {a.full_name: a.checkpoint_key for node in objects.nodes for a in node.attributes}


def warm_start(
    ckpt_to_initialize_from, vars_to_warm_start=".*", var_name_to_vocab_info=None, var_name_to_prev_var_name=None
):
    """Makes variables of the graph begin with values of a checkpoint, rows by words where a VocabInfo says so.

    vars_to_warm_start: a regular expression on names of trainable variables, a list of them on all variables, a list of
    variables, or None: only those with a VocabInfo. var_name_to_prev_var_name: names that are others in the checkpoint.
    """
    vocabularies, previous = dict(var_name_to_vocab_info or {}), dict(var_name_to_prev_var_name or {})
    logs.info("Warm-starting from: %s", ckpt_to_initialize_from)
    groups = _groups_to_warm_start(vars_to_warm_start)
    for name in vocabularies:
        if name not in groups:
            groups[name] = _named(name, None)
    reader = v1.train.load_checkpoint(ckpt_to_initialize_from)
    keys, prefix = _names_of_objects(reader), _prefix(ckpt_to_initialize_from)
    used, used_names = set(), set()
    for name, variables in groups.items():
        old = previous.get(name, name)
        if name in previous:
            used_names.add(name)
        key = keys.get(old, old) if keys is not None else old
        info = vocabularies.get(name)
        if info is not None:
            used.add(name)
            _warm_start_by_words(variables, prefix, key, info)
        elif not reader.has_tensor(key):
            logs.warning("Variable %s is not in the checkpoint: it is not warm-started.", old)
        else:
            for v in variables:
                set_checkpoint_initializer(v, prefix, key)
    for what, given, known in (("vocabulary", vocabularies, used), ("previous name", previous, used_names)):
        for name in sorted(set(given) - known):
            logs.warning("%s of %s is not used: it is not warm-started", what, name)


def _warm_start_by_words(variables, prefix, key, info):
    """Rows or columns of words that both vocabularies have come from the checkpoint."""
    if info.axis not in (0, 1):
        raise NotImplementedError(f"VocabInfo of axis {info.axis}")
    for v in variables:
        part = getattr(v, "_save_slice_info", None)
        shape = v.get_shape().as_list()
        offset = part.var_offset[info.axis] if part is not None else 0
        total = part.full_shape if part is not None else shape
        _begin_with(v, _by_words(prefix, key, info, shape, offset, total[info.axis], v.dtype.base_dtype))


def _by_words(prefix, key, info, shape, offset, total, dtype):
    axis = info.axis
    new_size = info.new_vocab_size if axis == 0 else info.new_vocab_size
    here = max(0, min(shape[axis], new_size - offset))  # of words; behind them buckets of words that no vocabulary has
    rows = {
        "row_remapping": tensor.convert([], dtypes.int64.as_datatype_enum),
        "col_remapping": tensor.convert([], dtypes.int64.as_datatype_enum),
    }
    remapping, _ = op("GenerateVocabRemapping")(
        info.new_vocab, info.old_vocab, new_vocab_offset=offset, num_new_vocab=here, old_vocab_size=info.old_vocab_size
    )
    buckets = v1.fill([shape[axis] - here], v1.constant(-1, dtypes.int64))
    remapping = v1.concat([remapping, buckets], 0)
    if axis == 0:
        rows["row_remapping"] = remapping
        num_rows, num_cols = shape[0], shape[1]
    else:
        rows["row_remapping"] = v1.range(v1.constant(shape[0], dtypes.int64))
        rows["col_remapping"] = remapping
        num_rows, num_cols = shape
    make = info.backup_initializer or v1.zeros_initializer()
    backup = v1.reshape(v1.cast(make([num_rows, num_cols], dtype=dtypes.float32), dtypes.float32), [-1])
    missing = v1.equal(v1.concat([rows["row_remapping"]], 0), -1)
    by_row = v1.reshape(v1.fill([num_rows, num_cols], True), [num_rows, num_cols])
    empty = v1.expand_dims(missing, 1) if axis == 0 else v1.expand_dims(v1.equal(remapping, -1), 0)
    made = op("LoadAndRemapMatrix")(
        prefix,
        key,
        rows["row_remapping"],
        rows["col_remapping"],
        v1.boolean_mask(backup, v1.reshape(v1.logical_and(by_row, empty), [-1])),
        num_rows=num_rows,
        num_cols=num_cols,
    )
    return v1.cast(v1.reshape(made, shape), dtype)
