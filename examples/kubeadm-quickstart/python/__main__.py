"""Creates a self-managed mixed cluster on Azure virtual machines, with IIS on it."""

import mixedkube
import pulumi
import pulumi_kubernetes as kubernetes
from mixedkube.platform import Platform
from mixedkube.workload import Scheduling

config = pulumi.Config()
cluster = mixedkube.kubeadm.Cluster(
    "shop",
    kubernetes_version="1.36",
    pools=[
        {"name": "linux", "platform": Platform.LINUX, "size": "Standard_D4s_v5"},
        {"name": "win22", "platform": Platform.WINDOWS_SERVER2022, "size": "Standard_D4s_v5"},
    ],
    linux_admin={"ssh_public_key": config.require("sshPublicKey")},
    windows_admin={"password": config.require_secret("windowsPassword")},
    # What the machines download, as in releases.yaml, with the hashes that only their publishers know.
    releases=config.get_object("releases"),
    service_ports=[{"port": 80, "node_port": 30080}],  # forwards to IIS
)

# Components do not return their provider: create one from the kubeconfig.
provider = kubernetes.Provider("shop", kubeconfig=cluster.kubeconfig)

labels = {"app": "iis"}

mixedkube.workload.Deployment(
    "iis",
    platform=Platform.WINDOWS_SERVER2022,
    scheduling=Scheduling.BY_SELECTOR,
    topology=cluster.topology,
    spec={
        "selector": {"match_labels": labels},
        "template": {
            "metadata": {"labels": labels},
            "spec": {
                "containers": [{
                    "name": "iis",
                    "image": "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
                    "resources": {"limits": {"memory": "800Mi"}},
                }],
            },
        },
    },
    opts=pulumi.ResourceOptions(providers=[provider]),
)

# The load balancer probes this port of each node.
kubernetes.core.v1.Service(
    "iis",
    spec={
        "type": "NodePort",
        "selector": labels,
        "ports": [{"port": 80, "node_port": 30080}],
    },
    opts=pulumi.ResourceOptions(provider=provider),
)

pulumi.export("kubeconfig", cluster.kubeconfig)
pulumi.export("address", cluster.service_address)
