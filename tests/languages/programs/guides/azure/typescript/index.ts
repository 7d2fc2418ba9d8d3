import * as kubernetes from "@pulumi/kubernetes";
import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const { Kind } = mixedkube.bootstrap;
const { PatchMode } = mixedkube.kubeadm;
const { Platform } = mixedkube.platform;

const config = new pulumi.Config();
const size = "Standard_D4s_v5";
const win22 = { name: "win22", platform: Platform.WindowsServer2022, size };
const machines = {
    kubernetesVersion: "1.36",
    linuxAdmin: { sshPublicKey: config.require("sshPublicKey") },
    windowsAdmin: { password: config.requireSecret("windowsPassword") },
    releases: config.requireObject<mixedkube.types.input.bootstrap.ReleasesArgs>("releases"),
};

const shop = new mixedkube.kubeadm.Cluster("shop", {
    ...machines,
    pools: [{ name: "linux", platform: Platform.Linux, size }, win22],
    // #region network
    network: {
        kind: Kind.UpstreamL3,
        nodeCIDR: "10.240.0.0/24", // of the nodes; has a default only in Azure
        podCIDR: "10.244.0.0/16", // the default
        serviceCIDR: "10.96.0.0/12", // the default
        nodeMaskSize: 24, // the default; for Calico the size of a block, 26
    },
    // #endregion network
    // #region ports
    servicePorts: [
        { port: 80, nodePort: 30080 },
        { port: 443, nodePort: 30443, sources: ["203.0.113.0/24"] }, // by default all addresses
    ],
    // #endregion ports
    // #region sources
    nodePortSources: ["10.0.0.0/8"],
    // #endregion sources
    // #region kubelet
    poolOptions: {
        win22: {
            kubelet: {
                systemReserved: { memory: "3Gi" },
                evictionHard: { "memory.available": "1Gi" },
                evictionSoft: { "memory.available": "2Gi" },
                evictionSoftGracePeriod: { "memory.available": "1m30s" },
            },
        },
    },
    // #endregion kubelet
});

// Components do not return their provider: create one from the kubeconfig.
const provider = new kubernetes.Provider("shop", { kubeconfig: shop.kubeconfig });

// #region node-port
new kubernetes.core.v1.Service("iis", {
    spec: { type: "NodePort", selector: { app: "iis" }, ports: [{ port: 80, nodePort: 30080 }] },
}, { provider });
// #endregion node-port

new mixedkube.kubeadm.Cluster("pinned", {
    ...machines,
    pools: [win22],
    // #region egress
    network: {
        kind: Kind.UpstreamL3, // as above
        blockedEgress: [
            { cidr: "169.254.169.254/32" }, // everything
            { cidr: "203.0.113.0/24", tcpPorts: [80, 443] }, // two ports
        ],
    },
    // #endregion egress
    // #region image
    poolOptions: { win22: { image: { version: "20348.1906.230803" } } },
    // #endregion image
});

new mixedkube.kubeadm.Cluster("patched", {
    ...machines,
    pools: [win22],
    // #region patching
    poolOptions: { win22: { patching: { mode: PatchMode.AutomaticByPlatform } } },
    // #endregion patching
});

// #region login
new mixedkube.aks.Cluster("shop", {
    // #region omitted
    kubernetesVersion: machines.kubernetesVersion,
    windowsAdmin: machines.windowsAdmin,
    pools: [{ name: "sys", platform: Platform.Linux, mode: mixedkube.topology.Mode.System, count: 1, size }],
    // #endregion omitted
    login: { mode: mixedkube.aks.LoginMode.ServicePrincipal, useAzureRMEnvVars: true },
    apiServer: { disableLocalAccounts: true },
    options: { aadProfile: { managed: true, enableAzureRBAC: true } },
});
// #endregion login

export const address = shop.serviceAddress;
