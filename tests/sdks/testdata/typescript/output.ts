import * as mixedkube from "@mixedkube/mixedkube";

const shop = new mixedkube.aks.ExistingCluster("shop", { resourceGroupName: "shop-group" });

// Which cluster it is must be known before the components are made.
new mixedkube.aks.ExistingCluster("other", { resourceGroupName: "shop-group", clusterName: shop.clusterName });
