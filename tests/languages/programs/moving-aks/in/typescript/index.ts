import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const { Platform } = mixedkube.platform;
const { Mode } = mixedkube.topology;

// #region cluster
new mixedkube.aks.Cluster("shop", {
    kubernetesVersion: "1.35",
    pools: [
        { name: "sys", platform: Platform.Linux, mode: Mode.System, count: 1, size: "Standard_D4s_v5" },
        { name: "win22", platform: Platform.WindowsServer2022, count: 1, size: "Standard_D4s_v5" },
    ],
    windowsAdmin: { username: "azureuser", password: new pulumi.Config().requireSecret("windowsPassword") },
    unprotected: true, // it moves out again
}, {
    aliases: [
        { type: "azure-native:containerservice:ManagedCluster" },
        { type: "azure-native:resources:ResourceGroup", name: "group" },
        { type: "azure-native:containerservice:AgentPool", name: "win22" },
    ],
});
// #endregion cluster
