"""The program of ../go in Python."""

import mixedkube
import pulumi
import pulumi_kubernetes as kubernetes

config = pulumi.Config()
cluster = kubernetes.Provider("cluster", kubeconfig=config.require_secret("kubeconfig"))
in_cluster = pulumi.ResourceOptions(providers=[cluster])
topology = mixedkube.topology.TopologyArgs(
    kubernetes_version="1.36",
    pools=[
        mixedkube.topology.PoolArgs(name="sys", platform=mixedkube.platform.Platform.LINUX, count=2),
        mixedkube.topology.PoolArgs(
            name="win22", platform=mixedkube.platform.Platform.WINDOWS_SERVER2022, count=2
        ),
    ],
)
classes = mixedkube.runtimeclass.Set("windows", topology=topology, opts=in_cluster)
settings = kubernetes.core.v1.ConfigMap(
    "settings", data={"greeting": "hello"}, opts=pulumi.ResourceOptions(provider=cluster)
)
labels = {"app": "web"}
web = mixedkube.workload.Deployment(
    "web",
    platform=mixedkube.platform.Platform.WINDOWS_SERVER2022,
    topology=topology,
    metadata={"name": "web"},
    spec={
        "replicas": config.get_int("replicas") or 1,
        "selector": {"match_labels": labels},
        "template": {
            "metadata": {"labels": labels},
            "spec": {
                "containers": [
                    {
                        "name": "web",
                        "image": "mcr.microsoft.com/windows/nanoserver:ltsc2022",
                        "env": [
                            {
                                "name": "GREETING",
                                "value_from": {
                                    "config_map_key_ref": {
                                        "name": settings.metadata.name,
                                        "key": "greeting",
                                    }
                                },
                            },
                            {"name": "TOKEN", "value": config.require_secret("token")},
                        ],
                    }
                ]
            },
        },
    },
    opts=pulumi.ResourceOptions.merge(
        in_cluster, pulumi.ResourceOptions(depends_on=[classes], protect=True)
    ),
)
mixedkube.hostprocess.DaemonSet(
    "agent",
    user=mixedkube.hostprocess.User.LOCAL_SERVICE,
    topology=topology,
    pods={"containers": [{"name": "agent", "image": "agent:1.0"}]},
    opts=in_cluster,
)
mixedkube.manifest.Group(
    "shop",
    topology=topology,
    yaml="""apiVersion: v1
kind: Pod
metadata:
  name: backup
spec:
  os:
    name: windows
  containers:
    - name: backup
      image: mcr.microsoft.com/windows/nanoserver:ltsc2022
""",
    opts=in_cluster,
)
pulumi.export("web", web.name)
pulumi.export("classes", classes.names)
