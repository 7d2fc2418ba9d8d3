"""Creates a cluster on AKS with two pools inline, and one pool that is a resource of its own."""

import pulumi
from pulumi_azure_native import containerservice, resources

# region program
group = resources.ResourceGroup("group", resource_group_name="shop-group")
cluster = containerservice.ManagedCluster(
    "shop",
    resource_group_name=group.name,
    resource_name_="shop",
    dns_prefix="shop-dns",
    kubernetes_version="1.35",
    identity={"type": containerservice.ResourceIdentityType.SYSTEM_ASSIGNED},
    network_profile={
        "network_plugin": "azure",
        "network_plugin_mode": "overlay",
        "network_policy": "calico",
        "pod_cidr": "10.100.0.0/16",
    },
    windows_profile={
        "admin_username": "shopadmin",
        "admin_password": pulumi.Config().require_secret("windowsPassword"),
    },
    agent_pool_profiles=[
        {
            "name": "nodepool1",
            "mode": "System",
            "count": 2,
            "vm_size": "Standard_D4s_v5",
            "max_pods": 100,
        },
        {
            "name": "win",
            "os_type": "Windows",
            "os_sku": "Windows2022",
            "mode": "User",
            "count": 1,
            "vm_size": "Standard_D4s_v5",
        },
    ],
)
containerservice.AgentPool(
    "batch",
    resource_group_name=group.name,
    resource_name_=cluster.name,
    agent_pool_name="batch",
    os_type="Windows",
    mode="User",
    count=1,
    vm_size="Standard_D4s_v5",
    node_labels={"team": "batch"},
)
# endregion program
