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
    opts=pulumi.ResourceOptions(
        aliases=[
            pulumi.Alias(
                name="windows-windows-2022",
                parent=pulumi.create_urn("windows", "mixedkube:runtimeclass:Set"),
            )
        ],
    ),
)
# region deployment-out
kubernetes.apps.v1.Deployment(
    "web",
    spec=spec,
    opts=pulumi.ResourceOptions(
        depends_on=[windows],
        aliases=[
            pulumi.Alias(
                name="web-deployment",
                parent=pulumi.create_urn("web", "mixedkube:workload:Deployment"),
            )
        ],
    ),
)
# endregion deployment-out
# region chart-out
# The plugin of pulumi-kubernetes registers charts and groups, and gets no aliases: a transform
# gives them to what it registers.
were = {
    "kubernetes:helm.sh/v4:Chart": pulumi.Alias(
        name="shop-chart", parent=pulumi.create_urn("shop", "mixedkube:manifest:Chart")
    ),
    "kubernetes:yaml/v2:ConfigGroup": pulumi.Alias(type_="mixedkube:manifest:Group"),
}


def move(args: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult | None:
    if args.type_ not in were:
        return None
    args.opts.aliases = [*(args.opts.aliases or []), were[args.type_]]
    return pulumi.ResourceTransformResult(args.props, args.opts)


kubernetes.helm.v4.Chart(
    "shop",
    chart="./shop",
    namespace="default",
    opts=pulumi.ResourceOptions(depends_on=[windows], transforms=[move]),
)
kubernetes.yaml.v2.ConfigGroup(
    "site", yaml=settings, opts=pulumi.ResourceOptions(transforms=[move])
)
# endregion chart-out
