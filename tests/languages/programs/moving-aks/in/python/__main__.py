import mixedkube
import pulumi
from mixedkube.platform import Platform
from mixedkube.topology import Mode

# region cluster
mixedkube.aks.Cluster(
    "shop",
    kubernetes_version="1.35",
    pools=[
        {
            "name": "sys",
            "platform": Platform.LINUX,
            "mode": Mode.SYSTEM,
            "count": 1,
            "size": "Standard_D4s_v5",
        },
        {
            "name": "win22",
            "platform": Platform.WINDOWS_SERVER2022,
            "count": 1,
            "size": "Standard_D4s_v5",
        },
    ],
    windows_admin={
        "username": "azureuser",
        "password": pulumi.Config().require_secret("windowsPassword"),
    },
    unprotected=True,  # it moves out again
    opts=pulumi.ResourceOptions(
        aliases=[
            pulumi.Alias(type_="azure-native:containerservice:ManagedCluster"),
            pulumi.Alias(type_="azure-native:resources:ResourceGroup", name="group"),
            pulumi.Alias(type_="azure-native:containerservice:AgentPool", name="win22"),
        ]
    ),
)
# endregion cluster
