// Creates a cluster on AKS with two pools inline, and one pool that is a resource of its own.
import { containerservice, resources } from "@pulumi/azure-native";
import * as pulumi from "@pulumi/pulumi";

// #region program
const group = new resources.ResourceGroup("group", { resourceGroupName: "shop-group" });
const cluster = new containerservice.ManagedCluster("shop", {
    resourceGroupName: group.name,
    resourceName: "shop",
    dnsPrefix: "shop-dns",
    kubernetesVersion: "1.35",
    identity: { type: containerservice.ResourceIdentityType.SystemAssigned },
    networkProfile: {
        networkPlugin: "azure",
        networkPluginMode: "overlay",
        networkPolicy: "calico",
        podCidr: "10.100.0.0/16",
    },
    windowsProfile: {
        adminUsername: "shopadmin",
        adminPassword: new pulumi.Config().requireSecret("windowsPassword"),
    },
    agentPoolProfiles: [
        { name: "nodepool1", mode: "System", count: 2, vmSize: "Standard_D4s_v5", maxPods: 100 },
        {
            name: "win", osType: "Windows", osSKU: "Windows2022", mode: "User", count: 1,
            vmSize: "Standard_D4s_v5",
        },
    ],
});
new containerservice.AgentPool("batch", {
    resourceGroupName: group.name,
    resourceName: cluster.name,
    agentPoolName: "batch",
    osType: "Windows",
    mode: "User",
    count: 1,
    vmSize: "Standard_D4s_v5",
    nodeLabels: { team: "batch" },
});
// #endregion program
