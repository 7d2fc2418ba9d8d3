import mixedkube
import pulumi
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
