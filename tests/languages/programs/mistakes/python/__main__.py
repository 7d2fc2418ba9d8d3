import pulumi
import pulumi_kubernetes as k8s

# With the configuration right=true there is no mistake.
right = pulumi.Config().get_bool("right") or False
build = {"kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348"}
tolerations = [{"key": "os", "value": "windows", "effect": "NoSchedule"}]
containers = [{"name": "main", "image": "shop.example/first:ltsc2022"}]

windows = k8s.node.v1.RuntimeClass(
    "windows-2022",
    metadata={"name": "windows-2022"},
    handler="runhcs-wcow-process",
    scheduling={
        "node_selector": {"kubernetes.io/arch": "amd64", **build},
        "tolerations": [{"operator": "Equal", **tolerations[0]}],
    },
)
after = pulumi.ResourceOptions(depends_on=[windows])

labels = {"app": "web"}
web = {
    "os": {"name": "windows"},
    "runtime_class_name": "windows-2022",
    "containers": [{
        "name": "web",
        "image": "mcr.microsoft.com/windows/servercore:" + ("ltsc2022" if right else "ltsc2019"),
        "resources": {"limits": {"memory": "1Gi"}},
    }],
}
if not right:
    web["security_context"] = {"fs_group": 2000}
k8s.apps.v1.Deployment(
    "web-deployment",
    spec={"selector": {"match_labels": labels}, "template": {"metadata": {"labels": labels}, "spec": web}},
    opts=after,
)
first = k8s.core.v1.Pod(
    "first",
    spec={
        "os": {"name": "windows" if right else "Windows"},
        "node_selector": build,
        "tolerations": tolerations,
        "containers": containers,
    },
    opts=after,
)
second = {
    "os": {"name": "windows"},
    "security_context": {
        "windows_options": {"run_as_user_name": "shop\\admin" if right else "shop\\admin\\root"}
    },
    "node_selector": build,
    "tolerations": tolerations,
    "containers": containers,
}
if not right:
    second["host_pid"] = True
# The label is known only when the first one is created.
k8s.core.v1.Pod("second", metadata={"labels": {"after": first.metadata.uid}}, spec=second, opts=after)
k8s.core.v1.Pod(
    "third",
    spec={
        "node_selector": {"kubernetes.io/os": "linux"},
        "containers": [{
            "name": "main",
            "image": "alpine:3.22" if right else "mcr.microsoft.com/windows/nanoserver:ltsc2022",
        }],
    },
)
k8s.core.v1.Pod(
    "fourth",
    spec={
        "os": {"name": "windows"},
        "runtime_class_name": "windows-2022",
        "node_selector": {"kubernetes.io/arch": "amd64" if right else "arm64"},
        "containers": containers,
    },
    opts=after,
)
k8s.helm.v4.Chart(
    "chart",
    chart="./chart",
    values={} if right else {"build": "10.0.26100", "privileged": False, "byClass": True},
    opts=after,
)
k8s.yaml.v2.ConfigGroup("group", files=["group-right.yaml" if right else "group.yaml"], opts=after)
