"""Takes over a pool of a cluster that another program manages."""

import mixedkube
import pulumi
from mixedkube.platform import Platform

# region program
cluster_id = pulumi.Config().require("clusterID")
mixedkube.aks.ExistingCluster(
    "shop",
    resource_group_name="shop-group",
    pools={
        "win": {
            "pool": {"name": "win", "platform": Platform.WINDOWS_SERVER2022, "count": 2},
            "name_in_azure": "win",
            "import_id": cluster_id + "/agentPools/win",
        },
    },
    # `pulumi destroy` gives the pool back
    opts=pulumi.ResourceOptions(retain_on_delete=True),
)
# endregion program
