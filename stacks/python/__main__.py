"""Deploys RuntimeClasses and the workloads of a stack's configuration, as the program in Go does, into a cluster
that it creates on AKS, or into the cluster of the default kubeconfig."""

import pulumi
import pulumi_kubernetes as k8s
import mixedkube

config = pulumi.Config()
described = config.require_object("cluster")
on_aks = config.get_object("aks")
workloads = config.require_object("workloads")

# The configuration has the schema's spelling of keys, which the SDK takes as well as Python's.
topology = described
provider = None
if on_aks is not None:
    cluster = mixedkube.aks.Cluster(
        on_aks.get("clusterName") or pulumi.get_stack(),
        kubernetes_version=described["kubernetesVersion"],
        pools=described["pools"],
        resource_group_name=on_aks.get("resourceGroupName"),
        location=on_aks.get("location"),
        network=on_aks.get("network"),
        windows_admin={**on_aks.get("windowsAdmin", {}), "password": config.require_secret("windowsPassword")},
        login=on_aks.get("login"),
        azure_cli=on_aks.get("azureCLI"),
        unprotected=on_aks.get("unprotected"),
    )
    topology = cluster.topology
    provider = k8s.Provider("cluster", kubeconfig=cluster.kubeconfig)
# A component takes its provider from providers, a resource from provider.
providers = [provider] if provider else None

classes = mixedkube.runtimeclass.Set(
    "windows", topology=topology, opts=pulumi.ResourceOptions(providers=providers)
)


def deploy_iis(platform):
    """Deploys Internet Information Services onto a Windows platform, named after it, as in iis-2019."""
    release = platform.removeprefix("windows-")
    name = f"iis-{release}"
    labels = {"app": name}
    mixedkube.workload.Deployment(
        name,
        topology=topology,
        platform=platform,
        metadata={"name": name, "labels": labels},
        spec={
            "replicas": 2,
            "selector": {"match_labels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {
                    "containers": [
                        {
                            "name": "iis",
                            "image": "mcr.microsoft.com/windows/servercore/iis:"
                            f"windowsservercore-ltsc{release}",
                            "resources": {
                                "limits": {"cpu": "1", "memory": "800Mi"},
                                "requests": {"cpu": "0.1", "memory": "300Mi"},
                            },
                            "ports": [{"container_port": 80}],
                        }
                    ]
                },
            },
        },
        opts=pulumi.ResourceOptions(providers=providers, depends_on=[classes]),
    )
    balanced = "load-balancers" not in described.get("missingFeatures", [])
    k8s.core.v1.Service(
        name,
        metadata={"name": name, "labels": labels},
        spec={
            "type": "LoadBalancer" if balanced else "NodePort",
            "ports": [{"protocol": "TCP", "port": 80}],
            "selector": labels,
        },
        opts=pulumi.ResourceOptions(provider=provider),
    )
    return name


def deploy_linux_web():
    """Deploys a Deployment that does not name a platform: the taints of the Windows pools keep it on Linux."""
    name = "linux-web"
    labels = {"app": name}
    k8s.apps.v1.Deployment(
        name,
        metadata={"name": name, "labels": labels},
        spec={
            "replicas": 2,
            "selector": {"match_labels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "web", "image": "nginx:1.28-alpine"}]},
            },
        },
        opts=pulumi.ResourceOptions(provider=provider),
    )
    return name


windows = list(dict.fromkeys(p["platform"] for p in described["pools"] if p["platform"].startswith("windows-")))
deployed = []
for workload in workloads:
    if workload == "iis":
        deployed += [deploy_iis(platform) for platform in windows]
    elif workload == "linux-web":
        deployed.append(deploy_linux_web())
    else:
        raise pulumi.RunError(f"mixedkube:workloads: {workload}: this program deploys iis and linux-web")

pulumi.export("workloads", deployed)
