import * as k8s from "@pulumi/kubernetes";
import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const { Platform } = mixedkube.platform;

const config = new pulumi.Config();
const size = "Standard_D4s_v5";
const topology = {
    kubernetesVersion: "1.36",
    pools: [
        { name: "linux", platform: Platform.Linux, mode: mixedkube.topology.Mode.System, count: 2, size },
        { name: "win19", platform: Platform.WindowsServer2019, count: 2, size },
        { name: "win22", platform: Platform.WindowsServer2022, count: 2, size },
        { name: "win25", platform: Platform.WindowsServer2025, count: 2, size },
    ],
};

const cluster = new k8s.Provider("cluster", { kubeconfig: config.require("kubeconfig") });
const windows = new mixedkube.runtimeclass.Set("windows", { topology }, { providers: [cluster] });
const settings = new k8s.core.v1.ConfigMap("settings", { data: { greeting: "Hello" } }, { provider: cluster });
const labels = { app: "web" };
const web = new mixedkube.workload.Deployment("web", {
    topology,
    platform: Platform.WindowsServer2022,
    metadata: { name: "web" },
    spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
            metadata: { labels },
            spec: {
                hostPID: config.getBoolean("hostPID") ?? false,
                containers: [{
                    name: "web",
                    image: "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
                    envFrom: [{ configMapRef: { name: settings.metadata.name } }],
                    env: [{ name: "PASSWORD", value: config.requireSecret("password") }],
                }],
            },
        },
    },
}, { providers: [cluster], dependsOn: [windows] });

export const classes = windows.names;
export const deployment = web.name;
