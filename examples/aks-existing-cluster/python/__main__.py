"""Adds a Windows pool to an existing AKS cluster, and runs IIS on it."""

import mixedkube
import pulumi
import pulumi_kubernetes as kubernetes
from mixedkube.platform import Platform
from mixedkube.workload import Scheduling

cluster = mixedkube.aks.ExistingCluster(
    "shop",
    resource_group_name=pulumi.Config().require("resourceGroup"),
    pools={
        # The pool takes the other settings from the cluster: version, network and tags.
        "win22": {
            "pool": {
                "name": "win22",
                "platform": Platform.WINDOWS_SERVER2022,
                "count": 1,
                "size": "Standard_D4s_v5",
            },
        },
    },
)

# Components do not return their provider: create one from the kubeconfig.
provider = kubernetes.Provider("shop", kubeconfig=cluster.kubeconfig)

mixedkube.workload.Pod(
    "iis",
    platform=Platform.WINDOWS_SERVER2022,
    scheduling=Scheduling.BY_SELECTOR,
    # With the new pool. Outputs have separate types.
    topology=cluster.topology,
    spec={
        "containers": [{
            "name": "iis",
            "image": "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
        }],
    },
    opts=pulumi.ResourceOptions(providers=[provider], depends_on=[cluster]),
)
