import mixedkube
import pulumi
import pulumi_kubernetes as k8s
from mixedkube.platform import Platform
from mixedkube.topology import Mode

config = pulumi.Config()
size = "Standard_D4s_v5"
topology = {
    "kubernetes_version": "1.36",
    "pools": [
        {"name": "linux", "platform": Platform.LINUX, "mode": Mode.SYSTEM, "count": 2, "size": size},
        {"name": "win19", "platform": Platform.WINDOWS_SERVER2019, "count": 2, "size": size},
        {"name": "win22", "platform": Platform.WINDOWS_SERVER2022, "count": 2, "size": size},
        {"name": "win25", "platform": Platform.WINDOWS_SERVER2025, "count": 2, "size": size},
    ],
}

cluster = k8s.Provider("cluster", kubeconfig=config.require("kubeconfig"))
windows = mixedkube.runtimeclass.Set(
    "windows", topology=topology, opts=pulumi.ResourceOptions(providers=[cluster])
)
settings = k8s.core.v1.ConfigMap(
    "settings", data={"greeting": "Hello"}, opts=pulumi.ResourceOptions(provider=cluster)
)
labels = {"app": "web"}
web = mixedkube.workload.Deployment(
    "web",
    topology=topology,
    platform=Platform.WINDOWS_SERVER2022,
    metadata={"name": "web"},
    spec={
        "replicas": 2,
        "selector": {"match_labels": labels},
        "template": {
            "metadata": {"labels": labels},
            "spec": {
                "host_pid": config.get_bool("hostPID") or False,
                "containers": [
                    {
                        "name": "web",
                        "image": "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
                        "env_from": [{"config_map_ref": {"name": settings.metadata["name"]}}],
                        "env": [{"name": "PASSWORD", "value": config.require_secret("password")}],
                    }
                ],
            },
        },
    },
    opts=pulumi.ResourceOptions(providers=[cluster], depends_on=[windows]),
)

pulumi.export("classes", windows.names)
pulumi.export("deployment", web.name)
