"""Takes over the cluster that plain has created."""

import mixedkube
import pulumi
from mixedkube.platform import Platform
from mixedkube.topology import Mode
from pulumi_azure_native import resources

# region program
config = pulumi.Config()
group = resources.ResourceGroup("group", resource_group_name="shop-group")
mixedkube.aks.Cluster(
    "shop",
    resource_group_name=group.name,
    kubernetes_version="1.35",
    pools=[
        {"name": "sys", "platform": Platform.LINUX, "mode": Mode.SYSTEM},
        {"name": "win", "platform": Platform.WINDOWS_SERVER2022},
        {"name": "batch", "platform": Platform.WINDOWS_SERVER2022},
    ],
    pool_options={
        # stays inline
        "sys": {"name_in_azure": "nodepool1"},
        # was inline, and becomes a resource of its own
        "win": {
            "name_in_azure": "win",
            "import_id": config.require("clusterID") + "/agentPools/win",
        },
        # is one already, with the name batch in the state
        "batch": {"name_in_azure": "batch"},
    },
    windows_admin={"password": config.require_secret("windowsPassword")},
    opts=pulumi.ResourceOptions(
        aliases=[
            pulumi.Alias(type_="azure-native:containerservice:ManagedCluster", name="shop"),
            pulumi.Alias(type_="azure-native:containerservice:AgentPool", name="batch"),
        ],
    ),
)
# endregion program
