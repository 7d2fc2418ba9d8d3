// Takes over a cluster that pulumi import has put into the state.
import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const { Platform } = mixedkube.platform;
const { Mode } = mixedkube.topology;

// #region program
const config = new pulumi.Config();
new mixedkube.aks.Cluster("shop", {
    resourceGroupName: "shop-group",
    kubernetesVersion: "1.35",
    pools: [
        { name: "sys", platform: Platform.Linux, mode: Mode.System },
        { name: "win", platform: Platform.WindowsServer2022 },
    ],
    poolOptions: {
        // stays inline
        sys: { nameInAzure: "nodepool1" },
        win: { nameInAzure: "win", importID: `${config.require("clusterID")}/agentPools/win` },
    },
    windowsAdmin: { password: config.requireSecret("windowsPassword") },
}, {
    // pulumi import has put the cluster into the state
    aliases: [{ type: "azure-native:containerservice:ManagedCluster", name: "shop" }],
});
// #endregion program
