import * as mixedkube from "@mixedkube/mixedkube";

const cluster = new mixedkube.aks.Cluster("shop", { kubernetesVersion: "1.35" });

// Which cluster it is must be known before the components are made.
new mixedkube.aks.ExistingCluster("other", { resourceGroupName: cluster.resourceGroupName });
