"""Runs a team's class for Agon: one line of JSON in for each call, one line out.

    python3 agon_host.py player my_player.py:MyPlayerAI

In:  {"id": 1, "method": "get_guess", "ctx": {...}}
Out: {"id": 1, "value": ...} or {"id": 1, "error": {"kind": "...", "text": "..."}}

The class's own prints go to stderr. Calls come one at a time; how long one may take is for the
caller to say and to enforce. The class is loaded at the first call. If that fails, the answer
says why and the process ends, so that the next one sees a mended file.
"""

import importlib
import importlib.util
import json
import os
import queue
import shutil
import signal
import sys
import threading
import traceback

METHODS = {
    "player": ["get_warmup_answer", "get_questions", "get_guess", "on_score_received"],
    "referee": ["get_warmup_question", "get_round_start_info", "get_answers", "get_score_feedback"],
}
BASES = {"player": ("q21_player", "PlayerAI"), "referee": ("q21_referee", "RefereeAI")}
IGNORED = {"on_score_received"}  # What they return does not matter.
FRAMES_MAX = 6
UNPACKED = "agon-python-"  # What the folder is called that was made for us alone.
HERE = os.path.dirname(os.path.realpath(__file__))


class Unloadable(Exception):
    """Why there is no object to call, in words for its author."""


def take_streams():
    """Keeps stdin and stdout for us: whatever the class reads is empty, what it prints is talk."""
    calls = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdin = open(0, closefd=False)
    sys.stdout = open(1, "w", buffering=1, errors="backslashreplace", closefd=False)
    return calls, answers


def listen(calls):
    """Lines as they come. The end of them is the end of us, even in the middle of a call."""
    lines = queue.SimpleQueue()

    def read():
        for line in calls:
            lines.put(line)
        if os.path.basename(HERE).startswith(UNPACKED):
            shutil.rmtree(HERE, ignore_errors=True)  # Whoever unpacked us is gone.
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield lines.get()


def load(role, spec):
    """Makes an object of the class that is meant by `file.py:Class` or `module:Class`."""
    source, _, name = spec.rpartition(":") if ":" in spec else (spec, "", "")
    is_file = source.endswith(".py") or os.sep in source
    folder = os.path.dirname(os.path.abspath(source)) if is_file else os.getcwd()
    sys.path.insert(0, folder)
    module = load_file(source) if is_file else load_module(source)
    kind = find_class(module, name, role, source)
    try:
        instance = kind()
    except BaseException as problem:
        raise Unloadable(f"{kind.__name__}() could not be made: {explain(problem)}") from None
    missing = [m for m in METHODS[role] if not callable(getattr(instance, m, None))]
    if missing:
        raise Unloadable(f"{kind.__name__} has no method {', '.join(missing)}")
    return instance


def load_file(path):
    if not os.path.isfile(path):
        raise Unloadable(f"there is no file {path} in {os.getcwd()}")
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise Unloadable(f"{path} is no Python file: its name must end with .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # So that dataclasses and pickle find it.
    try:
        spec.loader.exec_module(module)
    except BaseException as problem:
        raise Unloadable(f"{path} could not be imported: {explain(problem)}") from None
    return module


def load_module(name):
    try:
        return importlib.import_module(name)
    except BaseException as problem:
        raise Unloadable(f"{name} could not be imported: {explain(problem)}") from None


def find_class(module, name, role, source):
    if name:
        found = getattr(module, name, None)
        if isinstance(found, type):
            return found
        classes = [key for key, value in vars(module).items() if is_own(value, module)]
        raise Unloadable(f"{source} has no class {name}; it has: {', '.join(classes) or 'none'}")
    base_module, base_name = BASES[role]
    base = getattr(importlib.import_module(base_module), base_name)
    own = [value for value in vars(module).values() if is_own(value, module)]
    fitting = [value for value in own if issubclass(value, base)]
    if len(fitting) != 1:
        raise Unloadable(
            f"{source} has {len(fitting)} classes that are a {base_name}: "
            f"say which one, as in {source}:MyClass"
        )
    return fitting[0]


def is_own(value, module):
    return isinstance(value, type) and value.__module__ == module.__name__


def explain(problem):
    """The exception, and where in the author's own files it came from; the last call first."""
    text = " ".join("".join(traceback.format_exception_only(type(problem), problem)).split())
    frames = [f for f in traceback.extract_tb(problem.__traceback__) if is_authors(f.filename)]
    places = [f"{os.path.basename(f.filename)} line {f.lineno} in {f.name}" for f in frames]
    places = places[::-1][:FRAMES_MAX]
    return f"{text} ({', called from '.join(places)})" if places else text


def is_authors(path):
    """Neither ours, nor Python's own, nor installed."""
    real = os.path.realpath(path)
    library = os.path.dirname(os.path.realpath(os.__file__))
    foreign = real.startswith((HERE + os.sep, library + os.sep)) or "site-packages" in real
    return not (path.startswith("<") or foreign)


def plain(value):
    """What JSON does not know but everybody means: numbers of numerical packages, sets."""
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if callable(getattr(value, "item", None)):
        return value.item()
    if callable(getattr(value, "tolist", None)):
        return value.tolist()
    raise TypeError(f"a {type(value).__name__} is no str, number, list or dict")


def call(instance, method, ctx):
    """The entries of the answer."""
    try:
        value = getattr(instance, method)(ctx)
    except BaseException as problem:
        return {"error": {"kind": "raised", "text": explain(problem)}}
    try:
        return {"value": json.loads(dump(None if method in IGNORED else value))}
    except Exception as problem:
        text = f"what {method} returned cannot be sent: {problem}"
        return {"error": {"kind": "value", "text": text}}


def dump(value):
    """What cannot be written as UTF-8 is replaced, and what is no number is refused."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=plain)
    return text.encode("utf-8", "replace")


def main():
    role, spec = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Whoever started us ends us.
    calls, answers = take_streams()
    instance = None
    for line in listen(calls):
        asked = json.loads(line)
        said = {"id": asked["id"]}
        try:
            if instance is None:
                instance = load(role, spec)
        except Unloadable as problem:
            said["error"] = {"kind": "load", "text": str(problem)}
        else:
            method = asked.get("method")
            said.update(call(instance, method, asked["ctx"]) if method else {"value": None})
        answers.write(dump(said) + b"\n")
        answers.flush()
        if instance is None:
            os._exit(0)  # Not by the usual way: it would wait for the thread that listens.


if __name__ == "__main__":
    main()
