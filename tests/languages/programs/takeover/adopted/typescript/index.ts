// Takes over the cluster that plain has created.
import * as mixedkube from "@mixedkube/mixedkube";
import { resources } from "@pulumi/azure-native";
import * as pulumi from "@pulumi/pulumi";

const { Platform } = mixedkube.platform;
const { Mode } = mixedkube.topology;

// #region program
const config = new pulumi.Config();
const group = new resources.ResourceGroup("group", { resourceGroupName: "shop-group" });
new mixedkube.aks.Cluster("shop", {
    resourceGroupName: group.name,
    kubernetesVersion: "1.35",
    pools: [
        { name: "sys", platform: Platform.Linux, mode: Mode.System },
        { name: "win", platform: Platform.WindowsServer2022 },
        { name: "batch", platform: Platform.WindowsServer2022 },
    ],
    poolOptions: {
        // stays inline
        sys: { nameInAzure: "nodepool1" },
        // was inline, and becomes a resource of its own
        win: { nameInAzure: "win", importID: `${config.require("clusterID")}/agentPools/win` },
        // is one already, with the name batch in the state
        batch: { nameInAzure: "batch" },
    },
    windowsAdmin: { password: config.requireSecret("windowsPassword") },
}, {
    aliases: [
        { type: "azure-native:containerservice:ManagedCluster", name: "shop" },
        { type: "azure-native:containerservice:AgentPool", name: "batch" },
    ],
});
// #endregion program
