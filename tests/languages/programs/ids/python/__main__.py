import mixedkube
import pulumi
from mixedkube.platform import Platform
from mixedkube.topology import Mode

size = "Standard_D4s_v5"
shop = mixedkube.aks.Cluster(
    "shop",
    kubernetes_version="1.36",
    pools=[{"name": "sys", "platform": Platform.LINUX, "mode": Mode.SYSTEM, "count": 1, "size": size}],
    windows_admin={"password": pulumi.Config().require_secret("windowsPassword")},
    unprotected=True,
)
win25 = mixedkube.aks.NodePool(
    "win25",
    resource_group_name=shop.resource_group_name,
    cluster_name=shop.cluster_name,
    kubernetes_version="1.36",
    pool={"name": "win25", "platform": Platform.WINDOWS_SERVER2025, "count": 1, "size": size, "fips": True},
    tags={"cluster": shop.cluster_id},
)

pulumi.export("cluster", shop.cluster_id)
pulumi.export("pool", win25.pool_id)
pulumi.export("name", win25.name)
