// Adds a node to win and a pool, and replaces batch.
import * as mixedkube from "@mixedkube/mixedkube";
import { resources } from "@pulumi/azure-native";
import * as pulumi from "@pulumi/pulumi";

const { Platform } = mixedkube.platform;
const { Mode } = mixedkube.topology;

// #region program
const group = new resources.ResourceGroup("group", { resourceGroupName: "shop-group" });
new mixedkube.aks.Cluster("shop", {
    resourceGroupName: group.name,
    kubernetesVersion: "1.35",
    pools: [
        { name: "sys", platform: Platform.Linux, mode: Mode.System },
        { name: "win", platform: Platform.WindowsServer2022, count: 2 },
        { name: "batch", platform: Platform.WindowsServer2022, size: "Standard_D8s_v5" },
        { name: "web", platform: Platform.WindowsServer2022, size: "Standard_D4s_v5" },
    ],
    poolOptions: {
        sys: { nameInAzure: "nodepool1" },
        win: { nameInAzure: "win" },
    },
    windowsAdmin: { password: new pulumi.Config().requireSecret("windowsPassword") },
});
// #endregion program
