import mixedkube
import pulumi
from mixedkube.bootstrap import DestinationArgs, Kind, NetworkArgs
from mixedkube.platform import Platform
from mixedkube.topology import PoolArgs, TopologyArgs

config = pulumi.Config()
image = mixedkube.platform.from_image(image=config.get("container") or "example.com/shop:1.0-ltsc2022")
tolerations = mixedkube.topology.tolerations_output(
    # Dicts are for arguments of resources: the names in those of functions are not translated.
    topology=TopologyArgs(
        kubernetes_version="1.36",
        pools=[
            PoolArgs(name="sys", platform=Platform.LINUX),
            PoolArgs(
                name="win22",
                platform=Platform.WINDOWS_SERVER2022,
                taints=["os=windows:NoSchedule", "gpu:NoExecute"],
            ),
        ],
    ),
    platform=config.get("platform") or Platform.WINDOWS_SERVER2022,
)

pulumi.export(
    "image",
    {"os": image.os, "release": image.release, "hostProcess": image.host_process, "byTag": image.by_tag},
)
pulumi.export("tolerations", tolerations.tolerations)

endpoint = "api.example.com:6443"
node_cidr = "10.240.0.0/24"
calico_network = NetworkArgs(kind=Kind.CALICO_VXLAN, node_cidr=node_cidr)
antrea_network = NetworkArgs(kind=Kind.ANTREA, node_cidr=node_cidr)
antrea = mixedkube.bootstrap.antrea_config_output(network=antrea_network, endpoint=endpoint)
pulumi.export(
    "calico",
    mixedkube.bootstrap.calico_objects_output(network=calico_network, endpoint=endpoint).objects,
)
pulumi.export(
    "chart",
    mixedkube.bootstrap.calico_values_output(network=calico_network, endpoint=endpoint).values,
)
pulumi.export("antrea", {"linux": antrea.linux, "windows": antrea.windows})
manifests = mixedkube.bootstrap.antrea_manifests(
    network=antrea_network,
    endpoint=endpoint,
    manifests="""kind: ConfigMap
metadata: {name: antrea-windows-config}
data: {antrea-agent.conf: "antreaProxy: {enable: true}"}
""",
)
pulumi.export("manifests", manifests.yaml)
policies = mixedkube.bootstrap.egress_policies_output(
    network=NetworkArgs(
        kind=Kind.ANTREA,
        node_cidr=node_cidr,
        blocked_egress=[DestinationArgs(cidr="203.0.113.0/24", tcp_ports=[80])],
    ),
)
pulumi.export("policies", policies.policies)
