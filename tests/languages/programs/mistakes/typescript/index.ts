import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

// With the configuration right=true there is no mistake.
const right = new pulumi.Config().getBoolean("right") ?? false;
const build = { "kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348" };
const tolerations = [{ key: "os", value: "windows", effect: "NoSchedule" }];
const containers = [{ name: "main", image: "shop.example/first:ltsc2022" }];

const windows = new k8s.node.v1.RuntimeClass("windows-2022", {
    metadata: { name: "windows-2022" },
    handler: "runhcs-wcow-process",
    scheduling: {
        nodeSelector: { "kubernetes.io/arch": "amd64", ...build },
        tolerations: [{ operator: "Equal", ...tolerations[0] }],
    },
});
const after = { dependsOn: [windows] };

const labels = { app: "web" };
new k8s.apps.v1.Deployment("web-deployment", {
    spec: {
        selector: { matchLabels: labels },
        template: {
            metadata: { labels },
            spec: {
                os: { name: "windows" },
                runtimeClassName: "windows-2022",
                securityContext: right ? undefined : { fsGroup: 2000 },
                containers: [{
                    name: "web",
                    image: "mcr.microsoft.com/windows/servercore:" + (right ? "ltsc2022" : "ltsc2019"),
                    resources: { limits: { memory: "1Gi" } },
                }],
            },
        },
    },
}, after);
const first = new k8s.core.v1.Pod("first", {
    spec: { os: { name: right ? "windows" : "Windows" }, nodeSelector: build, tolerations, containers },
}, after);
new k8s.core.v1.Pod("second", {
    // It is known only when the first one is created.
    metadata: { labels: { after: first.metadata.uid } },
    spec: {
        os: { name: "windows" },
        hostPID: right ? undefined : true,
        securityContext: { windowsOptions: { runAsUserName: right ? "shop\\admin" : "shop\\admin\\root" } },
        nodeSelector: build,
        tolerations,
        containers,
    },
}, after);
new k8s.core.v1.Pod("third", {
    spec: {
        nodeSelector: { "kubernetes.io/os": "linux" },
        containers: [{
            name: "main",
            image: right ? "alpine:3.22" : "mcr.microsoft.com/windows/nanoserver:ltsc2022",
        }],
    },
});
new k8s.core.v1.Pod("fourth", {
    spec: {
        os: { name: "windows" },
        runtimeClassName: "windows-2022",
        nodeSelector: { "kubernetes.io/arch": right ? "amd64" : "arm64" },
        containers,
    },
}, after);
new k8s.helm.v4.Chart("chart", {
    chart: "./chart",
    values: right ? {} : { build: "10.0.26100", privileged: false, byClass: true },
}, after);
new k8s.yaml.v2.ConfigGroup("group", { files: [right ? "group-right.yaml" : "group.yaml"] }, after);
