"""Installs Antrea with its Helm chart, and with its manifests for Windows, on machines of your own."""

from pathlib import Path
from typing import Any

import mixedkube
import pulumi
from mixedkube.bootstrap import Kind, NetworkArgs
from mixedkube.platform import Platform
from mixedkube.topology import TopologyArgsDict

config = pulumi.Config()
# The generated types of functions do not name NetworkArgs.
network: Any = NetworkArgs(kind=Kind.ANTREA, node_cidr="192.168.10.0/24")
endpoint = "192.168.10.10:6443"
topology: TopologyArgsDict = {
    "pools": [
        {"name": "linux", "platform": Platform.LINUX},
        {"name": "win22", "platform": Platform.WINDOWS_SERVER2022},
    ],
}

agents = mixedkube.bootstrap.antrea_config_output(network=network, endpoint=endpoint)
linux = mixedkube.manifest.Chart(
    "antrea",
    chart={  # the arguments of helm.v4.Chart, spelled as in its schema
        "chart": config.get("chart") or "../antrea",  # a copy of Antrea's chart
        "namespace": "kube-system",
        "values": agents.linux,
    },
    topology=topology,
)

manifests = Path(config.get("windows") or "../antrea-windows-with-ovs.yml")
windows = mixedkube.bootstrap.antrea_manifests(
    network=network, endpoint=endpoint, manifests=manifests.read_text()
)
mixedkube.manifest.Group(
    "antrea-windows",
    yaml=windows.yaml,
    topology=topology,
    opts=pulumi.ResourceOptions(depends_on=[linux]),
)
