"""Adds a node to win and a pool, and replaces batch."""

import mixedkube
import pulumi
from mixedkube.platform import Platform
from mixedkube.topology import Mode
from pulumi_azure_native import resources

# region program
group = resources.ResourceGroup("group", resource_group_name="shop-group")
mixedkube.aks.Cluster(
    "shop",
    resource_group_name=group.name,
    kubernetes_version="1.35",
    pools=[
        {"name": "sys", "platform": Platform.LINUX, "mode": Mode.SYSTEM},
        {"name": "win", "platform": Platform.WINDOWS_SERVER2022, "count": 2},
        {"name": "batch", "platform": Platform.WINDOWS_SERVER2022, "size": "Standard_D8s_v5"},
        {"name": "web", "platform": Platform.WINDOWS_SERVER2022, "size": "Standard_D4s_v5"},
    ],
    pool_options={
        "sys": {"name_in_azure": "nodepool1"},
        "win": {"name_in_azure": "win"},
    },
    windows_admin={"password": pulumi.Config().require_secret("windowsPassword")},
)
# endregion program
