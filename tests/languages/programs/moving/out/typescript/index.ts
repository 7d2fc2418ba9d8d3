import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

const labels = { app: "web" };
const spec = {
    selector: { matchLabels: labels },
    template: {
        metadata: { labels },
        spec: {
            os: { name: "windows" },
            runtimeClassName: "windows-2022",
            containers: [{ name: "web", image: "mcr.microsoft.com/windows/nanoserver:ltsc2022" }],
        },
    },
};
const settings = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: default}
data: {color: blue}
`;

const windows = new kubernetes.node.v1.RuntimeClass("windows-2022", {
    metadata: { name: "windows-2022" },
    handler: "runhcs-wcow-process",
    scheduling: {
        nodeSelector: {
            "kubernetes.io/os": "windows",
            "kubernetes.io/arch": "amd64",
            "node.kubernetes.io/windows-build": "10.0.20348",
        },
        tolerations: [{ key: "os", operator: "Equal", value: "windows", effect: "NoSchedule" }],
    },
}, {
    aliases: [{
        name: "windows-windows-2022",
        parent: pulumi.createUrn("windows", "mixedkube:runtimeclass:Set"),
    }],
});
// #region deployment-out
new kubernetes.apps.v1.Deployment("web", { spec }, {
    dependsOn: [windows],
    aliases: [{
        name: "web-deployment",
        parent: pulumi.createUrn("web", "mixedkube:workload:Deployment"),
    }],
});
// #endregion deployment-out
// #region chart-out
// The plugin of pulumi-kubernetes registers charts and groups, and gets no aliases: a transform
// gives them to what it registers.
const were = new Map<string, pulumi.Alias>([
    ["kubernetes:helm.sh/v4:Chart", {
        name: "shop-chart",
        parent: pulumi.createUrn("shop", "mixedkube:manifest:Chart"),
    }],
    ["kubernetes:yaml/v2:ConfigGroup", { type: "mixedkube:manifest:Group" }],
]);
const move: pulumi.ResourceTransform = args => {
    const was = were.get(args.type);
    if (was === undefined) {
        return undefined;
    }
    return { props: args.props, opts: { ...args.opts, aliases: [...args.opts.aliases ?? [], was] } };
};
new kubernetes.helm.v4.Chart("shop", { chart: "./shop", namespace: "default" }, {
    dependsOn: [windows],
    transforms: [move],
});
new kubernetes.yaml.v2.ConfigGroup("site", { yaml: settings }, { transforms: [move] });
// #endregion chart-out
