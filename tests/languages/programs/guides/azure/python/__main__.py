import mixedkube
import pulumi
import pulumi_kubernetes as kubernetes
from mixedkube.aks import LoginMode
from mixedkube.bootstrap import Kind
from mixedkube.kubeadm import PatchMode
from mixedkube.platform import Platform
from mixedkube.topology import Mode, PoolArgs

config = pulumi.Config()
size = "Standard_D4s_v5"
ssh_public_key = config.require("sshPublicKey")
windows_password = config.require_secret("windowsPassword")
releases = config.require_object("releases")
win22 = PoolArgs(name="win22", platform=Platform.WINDOWS_SERVER2022, size=size)

shop = mixedkube.kubeadm.Cluster(
    "shop",
    kubernetes_version="1.36",
    pools=[PoolArgs(name="linux", platform=Platform.LINUX, size=size), win22],
    linux_admin={"ssh_public_key": ssh_public_key},
    windows_admin={"password": windows_password},
    releases=releases,
    # region network
    network={
        "kind": Kind.UPSTREAM_L3,
        "node_cidr": "10.240.0.0/24",  # of the nodes; has a default only in Azure
        "pod_cidr": "10.244.0.0/16",  # the default
        "service_cidr": "10.96.0.0/12",  # the default
        "node_mask_size": 24,  # the default; for Calico the size of a block, 26
    },
    # endregion network
    # region ports
    service_ports=[
        {"port": 80, "node_port": 30080},
        {"port": 443, "node_port": 30443, "sources": ["203.0.113.0/24"]},  # by default all addresses
    ],
    # endregion ports
    # region sources
    node_port_sources=["10.0.0.0/8"],
    # endregion sources
    # region kubelet
    pool_options={
        "win22": {
            "kubelet": {
                "system_reserved": {"memory": "3Gi"},
                "eviction_hard": {"memory.available": "1Gi"},
                "eviction_soft": {"memory.available": "2Gi"},
                "eviction_soft_grace_period": {"memory.available": "1m30s"},
            },
        },
    },
    # endregion kubelet
)

# Components do not return their provider: create one from the kubeconfig.
provider = kubernetes.Provider("shop", kubeconfig=shop.kubeconfig)

# region node-port
kubernetes.core.v1.Service(
    "iis",
    spec={
        "type": "NodePort",
        "selector": {"app": "iis"},
        "ports": [{"port": 80, "node_port": 30080}],
    },
    opts=pulumi.ResourceOptions(provider=provider),
)
# endregion node-port

mixedkube.kubeadm.Cluster(
    "pinned",
    kubernetes_version="1.36",
    pools=[win22],
    linux_admin={"ssh_public_key": ssh_public_key},
    windows_admin={"password": windows_password},
    releases=releases,
    # region egress
    network={
        "kind": Kind.UPSTREAM_L3,  # as above
        "blocked_egress": [
            {"cidr": "169.254.169.254/32"},  # everything
            {"cidr": "203.0.113.0/24", "tcp_ports": [80, 443]},  # two ports
        ],
    },
    # endregion egress
    # region image
    pool_options={"win22": {"image": {"version": "20348.1906.230803"}}},
    # endregion image
)

mixedkube.kubeadm.Cluster(
    "patched",
    kubernetes_version="1.36",
    pools=[win22],
    linux_admin={"ssh_public_key": ssh_public_key},
    windows_admin={"password": windows_password},
    releases=releases,
    # region patching
    pool_options={"win22": {"patching": {"mode": PatchMode.AUTOMATIC_BY_PLATFORM}}},
    # endregion patching
)

# region login
mixedkube.aks.Cluster(
    "shop",
    # region omitted
    kubernetes_version="1.36",
    windows_admin={"password": windows_password},
    pools=[{"name": "sys", "platform": Platform.LINUX, "mode": Mode.SYSTEM, "count": 1, "size": size}],
    # endregion omitted
    login={"mode": LoginMode.SERVICE_PRINCIPAL, "use_azure_rm_env_vars": True},
    api_server={"disable_local_accounts": True},
    options={"aadProfile": {"managed": True, "enableAzureRBAC": True}},
)
# endregion login

pulumi.export("address", shop.service_address)
