#!/usr/bin/env python3
"""Runs the job on a cluster with a network: the driver with the master, an object store and two workers are four hosts.

    python adapters/spark/tests/network.py

Each host is a network namespace of Linux with an address of its own, and a bridge joins them; nothing leads out of it. It
needs the rights of root, the program `ip`, and the package moto[server], which is the object store. The input is Parquet in
the store, and the outputs are put into the store: `objects.py` says how. The file system of this machine, which all hosts
have, holds what the job writes meanwhile.

The job runs undisturbed; then while one worker is killed; then while one worker is cut off, which means that its link is down and
no packet says so. Each time the expected counts, which were known beforehand, must come out, and the store must have the same
normal forms. A worker that was cut off must come back when its link is up. ROWS is the number of records.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from cluster import START, Cluster, Host, end_in_order, normal_forms, records, run, write_records
from cost import event_log, figures

ROWS = int(os.environ.get("ROWS", 200_000))
OBJECTS = Path(__file__).resolve().parent / "objects.py"
# Of a range for documents, which no network outside has.
ADDRESSES = {"driver": "192.0.2.1", "store": "192.0.2.2", "worker1": "192.0.2.3", "worker2": "192.0.2.4"}
PORT = 5000
# Seconds after which a silent worker counts as lost. Spark's own values are 60 and 120.
LOST = 20
SILENCE = {
    "spark.network.timeout": f"{LOST}s",
    "spark.network.timeoutInterval": "5s",
    "spark.executor.heartbeatInterval": "2s",
    "spark.shuffle.io.retryWait": "2s",
}


class Network:
    """The namespaces, which end with the block."""

    def __init__(self):
        self.names = {name: f"iri-{os.getpid()}-{name}" for name in ADDRESSES}
        self.hosts = {
            name: Host(address, address, ("ip", "netns", "exec", self.names[name])) for name, address in ADDRESSES.items()
        }

    def __enter__(self):
        try:
            for name in self.names.values():
                ip("netns", "add", name)
            for name in self.names:
                self.inside(name, "link", "set", "lo", "up")
            self.inside("driver", "link", "add", "br0", "type", "bridge")
            self.inside("driver", "addr", "add", f"{ADDRESSES['driver']}/24", "dev", "br0")
            self.inside("driver", "link", "set", "br0", "up")
            for name in [name for name in self.names if name != "driver"]:
                peer = ("type", "veth", "peer", "name", "eth0", "netns", self.names[name])
                self.inside("driver", "link", "add", name, *peer)
                self.inside("driver", "link", "set", name, "master", "br0", "up")
                self.inside(name, "addr", "add", f"{ADDRESSES[name]}/24", "dev", "eth0")
                self.inside(name, "link", "set", "eth0", "up")
        except subprocess.CalledProcessError as error:
            self.__exit__()
            sys.exit(f"no network namespaces here: {error.stderr.strip()}; --without-network leaves this test out")
        return self

    def inside(self, name, *args):
        ip("-netns", self.names[name], *args)

    def cut_off(self, name):
        self.inside("driver", "link", "set", name, "down")

    def join(self, name):
        self.inside("driver", "link", "set", name, "up")

    def __exit__(self, *_):
        for name in self.names.values():
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)


def ip(*args):
    subprocess.run(["ip", *args], check=True, capture_output=True, text=True)


class Stored(Cluster):
    """A cluster with an object store."""

    def __init__(self, folder, network):
        self.network = network
        workers = [network.hosts["worker1"], network.hosts["worker2"]]
        super().__init__(folder, network.hosts["driver"], workers, LOST)
        self.store = f"{ADDRESSES['store']}:{PORT}"

    def __enter__(self):
        host, log = self.network.hosts["store"], self.folder / "store.log"
        command = [*host.enter, sys.executable, "-m", "moto.server", "--host", host.address, "--port", str(PORT)]
        with open(log, "w") as out:
            self.server = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
        try:
            self.wait(log, r"(Running on http)")
            return super().__enter__()
        except BaseException:
            self.__exit__()
            raise

    def copy(self, *args):
        """Copies a folder into the store, or from it."""
        host = self.network.hosts["driver"]
        command = [*host.enter, sys.executable, str(OBJECTS), "--store", self.store, *map(str, args)]
        subprocess.run(command, check=True, timeout=START, env=host.environment())

    def __exit__(self, *_):
        super().__exit__()
        self.kill(self.server)


def main():
    end_in_order()
    urls, expected = records(ROWS)
    # Who is lost, and how.
    losses = {
        "undisturbed": None,
        "a worker killed": lambda cluster: cluster.kill_a_worker(),
        "a worker cut off": lambda cluster: cluster.network.cut_off("worker2"),
    }
    calm = None
    for name, loss in losses.items():
        with tempfile.TemporaryDirectory() as place, Network() as network:
            folder = Path(place)
            (folder / "links").mkdir()
            for number in range(8):
                write_records(urls[number::8], folder / "links" / f"{number}.parquet")
            with Stored(folder, network) as cluster:
                cluster.copy("--put", folder / "links", "links")
                disturb = loss and (lambda: loss(cluster))
                more = ("--store", cluster.store, "--into", "canonical")
                conf = {**SILENCE, **event_log(folder / "events")}
                done = run(cluster, folder, name, "links", *more, disturb=disturb, program=OBJECTS, conf=conf)
                assert done.counts == expected, expected
                if not loss:
                    assert figures(folder / "events")["from the other worker"] > 0, "no byte went over the network"
                # What the store has is compared, not what the job wrote before.
                shutil.rmtree(done.out)
                cluster.copy("--get", "canonical", folder / "stored")
                forms = normal_forms(folder / "stored")
                assert sum(forms["records"].to_pylist()) == expected["out"] + expected["duplicates"]
                calm = calm or forms
                assert forms == calm, "the normal forms differ"
                if name == "a worker cut off":
                    network.join("worker2")
                    again = f"Registering worker {ADDRESSES['worker2']}"
                    cluster.wait(cluster.log, f"(?s){again}.*({again})")
    print("the counts are the expected ones over a network, with a worker killed or cut off, too")


if __name__ == "__main__":
    main()
