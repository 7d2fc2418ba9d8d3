// Takes over a pool of a cluster that another program manages.
import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const { Platform } = mixedkube.platform;

// #region program
const clusterID = new pulumi.Config().require("clusterID");
new mixedkube.aks.ExistingCluster("shop", {
    resourceGroupName: "shop-group",
    pools: {
        win: {
            pool: { name: "win", platform: Platform.WindowsServer2022, count: 2 },
            nameInAzure: "win",
            importID: `${clusterID}/agentPools/win`,
        },
    },
}, { retainOnDelete: true }); // `pulumi destroy` gives the pool back
// #endregion program
