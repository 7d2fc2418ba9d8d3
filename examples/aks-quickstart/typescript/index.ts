// Makes a mixed cluster on AKS, and runs IIS on its Windows nodes.
import * as kubernetes from "@pulumi/kubernetes";
import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const { Platform } = mixedkube.platform;
const { Mode } = mixedkube.topology;
const { Scheduling } = mixedkube.workload;

const cluster = new mixedkube.aks.Cluster("shop", {
    kubernetesVersion: "1.35",
    pools: [
        { name: "sys", platform: Platform.Linux, mode: Mode.System, count: 3, size: "Standard_D4s_v5" },
        { name: "win22", platform: Platform.WindowsServer2022, count: 2, size: "Standard_D4s_v5" },
    ],
    windowsAdmin: { password: new pulumi.Config().requireSecret("windowsPassword") },
});

// Components do not return their provider: create one from the kubeconfig.
const provider = new kubernetes.Provider("shop", { kubeconfig: cluster.kubeconfig });

new mixedkube.workload.Pod("iis", {
    platform: Platform.WindowsServer2022,
    scheduling: Scheduling.BySelector,
    topology: cluster.topology,
    spec: {
        containers: [{
            name: "iis",
            image: "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
        }],
    },
}, { providers: [provider] });

export const kubeconfig = cluster.kubeconfig;
