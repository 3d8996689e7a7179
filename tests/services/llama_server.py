"""A real llama.cpp server over a model file, on the loopback interface.

`python tests/services/llama_server.py MODEL PORT [THREADS] [SLOTS]` serves until it is ended.
"""

import signal
import sys
import threading

import xllamacpp

CONTEXT = 8192
"""Tokens of one slot's context."""


def serve(model: str, port: int, threads: int, slots: int) -> None:
    """Serve the model's OpenAI-compatible API until the process is told to end."""
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.model_alias = ["qwen2.5-coder-1.5b"]
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_parallel = slots
    params.n_ctx = CONTEXT * slots
    params.cpuparams.n_threads = threads
    params.cpuparams.poll = 0
    params.warmup = False
    params.ui = False
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    server = xllamacpp.Server(params)
    ended.wait()
    del server


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[2:]]
    serve(sys.argv[1], *(numbers + [1, 1][len(numbers) - 1 :]))
