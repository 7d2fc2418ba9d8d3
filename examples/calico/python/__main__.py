"""Installs Calico with the Helm charts of its operator, in a cluster on machines of your own."""

import mixedkube
import pulumi
import pulumi_kubernetes as kubernetes
from mixedkube.bootstrap import Kind, NetworkArgs
from mixedkube.platform import Platform

calico = mixedkube.bootstrap.calico_values_output(
    network=NetworkArgs(kind=Kind.CALICO_VXLAN, node_cidr="192.168.10.0/24"),
    endpoint="192.168.10.10:6443",
)

topology = {
    "pools": [
        {"name": "linux", "platform": Platform.LINUX},
        {"name": "win22", "platform": Platform.WINDOWS_SERVER2022},
    ],
}

charts = pulumi.Config().get("charts") or "../charts"  # copies of Calico's charts
crds = mixedkube.manifest.Chart(
    "calico-crds",
    # The arguments of helm.v4.Chart, spelled as in its schema.
    chart={"chart": f"{charts}/crd.projectcalico.org.v1"},
    topology=topology,
)

namespace = kubernetes.core.v1.Namespace("tigera-operator", metadata={"name": "tigera-operator"})

mixedkube.manifest.Chart(
    "calico",
    chart={
        "chart": f"{charts}/tigera-operator",
        "namespace": "tigera-operator",
        "values": calico.values,
    },
    topology=topology,
    opts=pulumi.ResourceOptions(depends_on=[namespace, crds]),
)
