"""Takes over a cluster that pulumi import has put into the state."""

import mixedkube
import pulumi
from mixedkube.platform import Platform
from mixedkube.topology import Mode

# region program
config = pulumi.Config()
mixedkube.aks.Cluster(
    "shop",
    resource_group_name="shop-group",
    kubernetes_version="1.35",
    pools=[
        {"name": "sys", "platform": Platform.LINUX, "mode": Mode.SYSTEM},
        {"name": "win", "platform": Platform.WINDOWS_SERVER2022},
    ],
    pool_options={
        # stays inline
        "sys": {"name_in_azure": "nodepool1"},
        "win": {
            "name_in_azure": "win",
            "import_id": config.require("clusterID") + "/agentPools/win",
        },
    },
    windows_admin={"password": config.require_secret("windowsPassword")},
    opts=pulumi.ResourceOptions(
        # pulumi import has put the cluster into the state
        aliases=[pulumi.Alias(type_="azure-native:containerservice:ManagedCluster", name="shop")],
    ),
)
# endregion program
