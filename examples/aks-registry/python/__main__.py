"""Makes a mixed cluster on AKS whose nodes pull images from a private registry."""

import mixedkube
import pulumi
import pulumi_kubernetes as kubernetes
from mixedkube.platform import Platform
from mixedkube.topology import Mode
from mixedkube.workload import Scheduling

config = pulumi.Config()

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
    windows_admin={"password": config.require_secret("windowsPassword")},
)

# The package pulumi_azure_native has this resource too, as authorization.RoleAssignment.
pull = pulumi.CustomResource(
    "azure-native:authorization:RoleAssignment",
    "pull",
    {
        "principalId": cluster.kubelet_identity.object_id,
        "principalType": "ServicePrincipal",
        # AcrPull: https://learn.microsoft.com/azure/role-based-access-control/built-in-roles/containers#acrpull
        "roleDefinitionId": "/providers/Microsoft.Authorization/roleDefinitions/7f951dda-4ed3-4680-a7ca-43fe172d538d",
        "scope": config.require("registryID"),
    },
)

# Components do not return their provider: create one from the kubeconfig.
provider = kubernetes.Provider("shop", kubeconfig=cluster.kubeconfig)

mixedkube.workload.Pod(
    "web",
    platform=Platform.WINDOWS_SERVER2022,
    scheduling=Scheduling.BY_SELECTOR,
    topology=cluster.topology,
    spec={"containers": [{"name": "web", "image": config.require("image")}]},
    opts=pulumi.ResourceOptions(providers=[provider], depends_on=[pull]),
)
