import * as kubernetes from "@pulumi/kubernetes";

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
});
new kubernetes.apps.v1.Deployment("web", { spec }, { dependsOn: [windows] });
new kubernetes.helm.v4.Chart("shop", { chart: "./shop", namespace: "default" }, { dependsOn: [windows] });
new kubernetes.yaml.v2.ConfigGroup("site", { yaml: settings });
