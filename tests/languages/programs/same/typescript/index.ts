// The program of ../go in TypeScript.
import * as kubernetes from "@pulumi/kubernetes";
import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();
const cluster = new kubernetes.Provider("cluster", { kubeconfig: config.requireSecret("kubeconfig") });
const inCluster = { providers: [cluster] };
const topology = {
    kubernetesVersion: "1.36",
    pools: [
        { name: "sys", platform: mixedkube.platform.Platform.Linux, count: 2 },
        { name: "win22", platform: mixedkube.platform.Platform.WindowsServer2022, count: 2 },
    ],
};
const classes = new mixedkube.runtimeclass.Set("windows", { topology }, inCluster);
const settings = new kubernetes.core.v1.ConfigMap("settings", { data: { greeting: "hello" } }, { provider: cluster });
const labels = { app: "web" };
const deployment = new mixedkube.workload.Deployment("web", {
    platform: mixedkube.platform.Platform.WindowsServer2022,
    topology,
    metadata: { name: "web" },
    spec: {
        replicas: config.getNumber("replicas") ?? 1,
        selector: { matchLabels: labels },
        template: {
            metadata: { labels },
            spec: {
                containers: [{
                    name: "web",
                    image: "mcr.microsoft.com/windows/nanoserver:ltsc2022",
                    env: [
                        {
                            name: "GREETING",
                            valueFrom: { configMapKeyRef: { name: settings.metadata.name, key: "greeting" } },
                        },
                        { name: "TOKEN", value: config.requireSecret("token") },
                    ],
                }],
            },
        },
    },
}, { ...inCluster, dependsOn: [classes], protect: true });
new mixedkube.hostprocess.DaemonSet("agent", {
    user: mixedkube.hostprocess.User.LocalService,
    topology,
    pods: { containers: [{ name: "agent", image: "agent:1.0" }] },
}, inCluster);
new mixedkube.manifest.Group("shop", {
    topology,
    yaml: `apiVersion: v1
kind: Pod
metadata:
  name: backup
spec:
  os:
    name: windows
  containers:
    - name: backup
      image: mcr.microsoft.com/windows/nanoserver:ltsc2022
`,
}, inCluster);
export const web = deployment.name;
const names = classes.names;
export { names as classes };
