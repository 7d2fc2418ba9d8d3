import * as mixedkube from "@mixedkube/mixedkube";

const { Platform } = mixedkube.platform;

const topology = {
    pools: [
        { name: "linux", platform: Platform.Linux },
        { name: "win22", platform: Platform.WindowsServer2022 },
    ],
};
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

const classes = new mixedkube.runtimeclass.Set("windows", { topology }, {
    aliases: [{ type: "kubernetes:node.k8s.io/v1:RuntimeClass", name: "windows-2022" }],
});
// #region deployment
new mixedkube.workload.Deployment("web", { platform: Platform.WindowsServer2022, spec }, {
    dependsOn: [classes],
    aliases: [{ type: "kubernetes:apps/v1:Deployment" }],
});
// #endregion deployment
// #region chart
new mixedkube.manifest.Chart("shop", { chart: { chart: "./shop", namespace: "default" }, topology }, {
    dependsOn: [classes],
    aliases: [{ type: "kubernetes:helm.sh/v4:Chart" }],
});
// #endregion chart
new mixedkube.manifest.Group("site", { yaml: settings, topology }, {
    aliases: [{ type: "kubernetes:yaml/v2:ConfigGroup" }],
});
