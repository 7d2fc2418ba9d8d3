"""Installs Calico with the Helm chart of its operator, in a cluster on machines of your own."""

from typing import Any

import mixedkube
import pulumi
import pulumi_kubernetes as kubernetes
from mixedkube.bootstrap import Kind, NetworkArgs
from mixedkube.platform import Platform

# The generated types of functions do not name NetworkArgs.
network: Any = NetworkArgs(kind=Kind.CALICO_VXLAN, node_cidr="192.168.10.0/24")
calico = mixedkube.bootstrap.calico_values_output(network=network, endpoint="192.168.10.10:6443")

namespace = kubernetes.core.v1.Namespace("tigera-operator", metadata={"name": "tigera-operator"})

mixedkube.manifest.Chart(
    "calico",
    chart={  # the arguments of helm.v4.Chart, spelled as in its schema
        "chart": pulumi.Config().get("chart") or "../tigera-operator",  # a copy of Calico's chart
        "namespace": "tigera-operator",
        "values": calico.values,
    },
    topology={
        "pools": [
            {"name": "linux", "platform": Platform.LINUX},
            {"name": "win22", "platform": Platform.WINDOWS_SERVER2022},
        ],
    },
    opts=pulumi.ResourceOptions(depends_on=[namespace]),
)
