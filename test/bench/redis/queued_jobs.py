# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""A job that does nothing, for Celery and for RQ: what redis_bench.py starts.

    celery --app queued_jobs worker
    python3 queued_jobs.py work                    a worker of RQ
    python3 queued_jobs.py produce Celery 1000     when a line comes on standard input
"""

import os
import sys

from celery import Celery
from redis import Redis
from rq import Queue, SimpleWorker

SOCKET = os.environ["BENCH_SOCKET"]
app = Celery(broker=f"redis+socket://{SOCKET}")
queue = Queue(connection=Redis(unix_socket_path=SOCKET))


def nothing():
    pass


task = app.task(nothing, name="nothing", ignore_result=True)


def enqueue_for_rq():
    queue.enqueue("queued_jobs.nothing", result_ttl=0)


def produce(contestant, count):
    enqueue = {"Celery": task.delay, "RQ": enqueue_for_rq}[contestant]
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(count):
        enqueue()


if __name__ == "__main__":
    if sys.argv[1] == "work":
        SimpleWorker([queue], connection=queue.connection).work(logging_level="ERROR")
    else:
        produce(sys.argv[2], int(sys.argv[3]))
