import * as kubernetes from "@pulumi/kubernetes";
import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

// #region transform
const adopt: pulumi.ResourceTransform = args => {
    if (args.type !== "kubernetes:core/v1:ServiceAccount" || args.name !== "detector-account") {
        return undefined;
    }
    const was = { name: "account", parent: pulumi.rootStackResource };
    return { props: args.props, opts: { ...args.opts, aliases: [...args.opts.aliases ?? [], was] } };
};
// #endregion transform

if (new pulumi.Config().requireBoolean("in")) {
    new mixedkube.hostprocess.NodeProblemDetector("detector", { endpoint: "api.example.com:6443" }, {
        transforms: [adopt],
    });
} else {
    new kubernetes.core.v1.ServiceAccount("account", {
        metadata: { name: "node-problem-detector-windows", namespace: "kube-system" },
    });
}
