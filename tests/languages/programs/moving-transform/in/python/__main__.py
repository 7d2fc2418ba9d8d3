import mixedkube
import pulumi
import pulumi_kubernetes as kubernetes


# region transform
def adopt(args: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult | None:
    if args.type_ != "kubernetes:core/v1:ServiceAccount" or args.name != "detector-account":
        return None
    was = pulumi.Alias(name="account", parent=pulumi.ROOT_STACK_RESOURCE)
    args.opts.aliases = [*(args.opts.aliases or []), was]
    return pulumi.ResourceTransformResult(args.props, args.opts)


# endregion transform

if pulumi.Config().require_bool("in"):
    mixedkube.hostprocess.NodeProblemDetector(
        "detector",
        endpoint="api.example.com:6443",
        opts=pulumi.ResourceOptions(transforms=[adopt]),
    )
else:
    kubernetes.core.v1.ServiceAccount(
        "account",
        metadata={"name": "node-problem-detector-windows", "namespace": "kube-system"},
    )
