"""Makes a mixed cluster on AKS, and runs IIS on its Windows nodes."""

import mixedkube
import pulumi
import pulumi_kubernetes as kubernetes
from mixedkube.platform import Platform
from mixedkube.topology import Mode
from mixedkube.workload import Scheduling

cluster = mixedkube.aks.Cluster(
    "shop",
    kubernetes_version="1.35",
    pools=[
        {
            "name": "sys",
            "platform": Platform.LINUX,
            "mode": Mode.SYSTEM,
            "count": 3,
            "size": "Standard_D4s_v5",
        },
        {
            "name": "win22",
            "platform": Platform.WINDOWS_SERVER2022,
            "count": 2,
            "size": "Standard_D4s_v5",
        },
    ],
    windows_admin={"password": pulumi.Config().require_secret("windowsPassword")},
)

# Components do not return their provider: create one from the kubeconfig.
provider = kubernetes.Provider("shop", kubeconfig=cluster.kubeconfig)

mixedkube.workload.Pod(
    "iis",
    platform=Platform.WINDOWS_SERVER2022,
    scheduling=Scheduling.BY_SELECTOR,
    topology=cluster.topology,
    spec={
        "containers": [{
            "name": "iis",
            "image": "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
        }],
    },
    opts=pulumi.ResourceOptions(providers=[provider]),
)

pulumi.export("kubeconfig", cluster.kubeconfig)
