import mixedkube

shop = mixedkube.aks.ExistingCluster("shop", resource_group_name="shop-group")

# Which cluster it is must be known before the components are made.
mixedkube.aks.ExistingCluster(
    "other", resource_group_name="shop-group", cluster_name=shop.cluster_name
)
