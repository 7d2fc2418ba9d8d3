import mixedkube
import pulumi
from mixedkube.platform import Platform
from mixedkube.topology import PoolArgs, TopologyArgs

topology = TopologyArgs(
    pools=[
        PoolArgs(name="linux", platform=Platform.LINUX),
        PoolArgs(name="win22", platform=Platform.WINDOWS_SERVER2022),
    ]
)
labels = {"app": "web"}
spec = {
    "selector": {"match_labels": labels},
    "template": {
        "metadata": {"labels": labels},
        "spec": {
            "os": {"name": "windows"},
            "runtime_class_name": "windows-2022",
            "containers": [
                {"name": "web", "image": "mcr.microsoft.com/windows/nanoserver:ltsc2022"}
            ],
        },
    },
}
settings = """
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: default}
data: {color: blue}
"""

classes = mixedkube.runtimeclass.Set(
    "windows",
    topology=topology,
    opts=pulumi.ResourceOptions(
        aliases=[
            pulumi.Alias(type_="kubernetes:node.k8s.io/v1:RuntimeClass", name="windows-2022")
        ],
    ),
)
# region deployment
mixedkube.workload.Deployment(
    "web",
    platform=Platform.WINDOWS_SERVER2022,
    spec=spec,
    opts=pulumi.ResourceOptions(
        depends_on=[classes],
        aliases=[pulumi.Alias(type_="kubernetes:apps/v1:Deployment")],
    ),
)
# endregion deployment
# region chart
mixedkube.manifest.Chart(
    "shop",
    chart={"chart": "./shop", "namespace": "default"},
    topology=topology,
    opts=pulumi.ResourceOptions(
        depends_on=[classes],
        aliases=[pulumi.Alias(type_="kubernetes:helm.sh/v4:Chart")],
    ),
)
# endregion chart
mixedkube.manifest.Group(
    "site",
    yaml=settings,
    topology=topology,
    opts=pulumi.ResourceOptions(aliases=[pulumi.Alias(type_="kubernetes:yaml/v2:ConfigGroup")]),
)
