"""Runs Internet Information Services on the Windows nodes of a mixed cluster."""

import mixedkube
import pulumi
import pulumi_kubernetes as kubernetes
from mixedkube.platform import Platform

classes = mixedkube.runtimeclass.Set(
    "windows",
    topology={
        "pools": [
            {"name": "sys", "platform": Platform.LINUX},
            {"name": "win22", "platform": Platform.WINDOWS_SERVER2022},
        ],
    },
)

labels = {"app": "iis"}
metadata = kubernetes.meta.v1.ObjectMetaArgs(name="iis", labels=labels)

service = kubernetes.core.v1.Service(
    "iis",
    metadata=metadata,
    spec={
        "type": "LoadBalancer",
        "selector": labels,
        "ports": [{"protocol": "TCP", "port": 80}],
    },
)

# The component adds the fields that place the pods on Windows nodes.
mixedkube.workload.Deployment(
    "iis",
    platform=Platform.WINDOWS_SERVER2022,
    metadata=metadata,
    spec={
        "replicas": 1,
        "selector": {"match_labels": labels},
        "template": {
            "metadata": {"labels": labels},
            "spec": {
                "containers": [{
                    "name": "iis",
                    "image": "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
                    "resources": {
                        "limits": {"cpu": "1", "memory": "800Mi"},
                        "requests": {"cpu": "0.1", "memory": "300Mi"},
                    },
                    "ports": [{"container_port": 80}],
                }],
            },
        },
    },
    # Pods are rejected until their RuntimeClass exists.
    opts=pulumi.ResourceOptions(depends_on=[classes]),
)

pulumi.export("ingress", service.status.load_balancer.ingress)
