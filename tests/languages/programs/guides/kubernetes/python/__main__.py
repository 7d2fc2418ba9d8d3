import mixedkube
from mixedkube.platform import Platform
from mixedkube.topology import AutoscalingArgs, PoolArgs, TopologyArgs
from mixedkube.workload import Scheduling, User
from pulumi_kubernetes.core import v1 as core

# region pools
labels = {"mixedkube.dev/platform": "windows-2022"}
cluster = TopologyArgs(
    pools=[
        PoolArgs(name="linux", platform=Platform.LINUX, count=1),
        PoolArgs(
            name="win22",
            platform=Platform.WINDOWS_SERVER2022,
            labels=labels,
            autoscaling=AutoscalingArgs(min=0, max=5),
        ),
        PoolArgs(name="wi22b", platform=Platform.WINDOWS_SERVER2022, labels=labels, count=2),
    ],
)
# endregion pools

# region classes
mixedkube.runtimeclass.Set("windows", topology=cluster, scale_from_zero=True)
# endregion classes

image = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"

# region container
amount = {"cpu": "500m", "memory": "800Mi"}
iis = core.ContainerArgs(
    name="iis",
    image=image,
    resources=core.ResourceRequirementsArgs(requests=amount, limits=amount),
)
# endregion container

# region platform
mixedkube.workload.Deployment(
    "web",
    platform=Platform.WINDOWS_SERVER2022,
    scheduling=Scheduling.BY_SELECTOR,
    # region omitted
    topology=cluster,
    spec={
        "selector": {"match_labels": {"app": "web"}},
        "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [iis]}},
    },
    # endregion omitted
)
# endregion platform

# region user
mixedkube.workload.Pod(
    "run-as-username-pod-demo",
    platform=Platform.WINDOWS_SERVER2022,
    scheduling=Scheduling.BY_SELECTOR,
    user=User.CONTAINER_USER,
    # region omitted
    topology=cluster,
    spec={"containers": [{"name": "app", "image": "mcr.microsoft.com/windows/servercore:ltsc2022"}]},
    # endregion omitted
)
# endregion user

# region volume
volume = core.VolumeArgs(
    name="content",
    host_path=core.HostPathVolumeSourceArgs(path=r"C:\data\shop", type="DirectoryOrCreate"),
)
mount = core.VolumeMountArgs(name="content", mount_path=r"C:\shop", read_only=True)
# endregion volume

mixedkube.workload.Pod(
    "content",
    platform=Platform.WINDOWS_SERVER2022,
    scheduling=Scheduling.BY_SELECTOR,
    topology=cluster,
    spec={
        "containers": [{"name": "iis", "image": image, "volume_mounts": [mount]}],
        "volumes": [volume],
    },
)

# region chart
mixedkube.manifest.Chart(
    "csi-driver-smb",
    # Repository and version as its charts/README.md says.
    chart={
        "chart": "csi-driver-smb",
        "namespace": "kube-system",
        "values": {"windows": {"enabled": True, "useHostProcessContainers": True}},
    },
    topology=cluster,
)
# endregion chart
