// Creates a self-managed mixed cluster on Azure virtual machines, and runs IIS behind the load balancer of the pools.
import * as kubernetes from "@pulumi/kubernetes";
import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const { Platform } = mixedkube.platform;
const { Scheduling } = mixedkube.workload;

const config = new pulumi.Config();
const cluster = new mixedkube.kubeadm.Cluster("shop", {
    kubernetesVersion: "1.36",
    pools: [
        { name: "linux", platform: Platform.Linux, size: "Standard_D4s_v5" },
        { name: "win22", platform: Platform.WindowsServer2022, size: "Standard_D4s_v5" },
    ],
    linuxAdmin: { sshPublicKey: config.require("sshPublicKey") },
    windowsAdmin: { password: config.requireSecret("windowsPassword") },
    // What the machines download, as in releases.yaml, with the hashes that only their publishers know.
    releases: config.getObject<mixedkube.types.input.bootstrap.ReleasesArgs>("releases"),
    servicePorts: [{ port: 80, nodePort: 30080 }], // forwards to IIS
});

// Components do not return their provider: create one from the kubeconfig.
const provider = new kubernetes.Provider("shop", { kubeconfig: cluster.kubeconfig });

const labels = { app: "iis" };

new mixedkube.workload.Deployment("iis", {
    platform: Platform.WindowsServer2022,
    scheduling: Scheduling.BySelector,
    topology: cluster.topology,
    spec: {
        selector: { matchLabels: labels },
        template: {
            metadata: { labels },
            spec: {
                containers: [{
                    name: "iis",
                    image: "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
                    resources: { limits: { memory: "800Mi" } },
                }],
            },
        },
    },
}, { providers: [provider] });

// The load balancer probes this port of each node.
new kubernetes.core.v1.Service("iis", {
    spec: { type: "NodePort", selector: labels, ports: [{ port: 80, nodePort: 30080 }] },
}, { provider });

export const kubeconfig = cluster.kubeconfig;
export const address = cluster.serviceAddress;
