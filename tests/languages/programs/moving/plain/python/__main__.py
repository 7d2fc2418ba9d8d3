import pulumi
import pulumi_kubernetes as kubernetes

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

windows = kubernetes.node.v1.RuntimeClass(
    "windows-2022",
    metadata={"name": "windows-2022"},
    handler="runhcs-wcow-process",
    scheduling={
        "node_selector": {
            "kubernetes.io/os": "windows",
            "kubernetes.io/arch": "amd64",
            "node.kubernetes.io/windows-build": "10.0.20348",
        },
        "tolerations": [
            {"key": "os", "operator": "Equal", "value": "windows", "effect": "NoSchedule"}
        ],
    },
)
kubernetes.apps.v1.Deployment("web", spec=spec, opts=pulumi.ResourceOptions(depends_on=[windows]))
kubernetes.helm.v4.Chart(
    "shop",
    chart="./shop",
    namespace="default",
    opts=pulumi.ResourceOptions(depends_on=[windows]),
)
kubernetes.yaml.v2.ConfigGroup("site", yaml=settings)
