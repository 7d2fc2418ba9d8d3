import mixedkube

cluster = mixedkube.aks.Cluster("shop", kubernetes_version="1.35")

# Which cluster it is must be known before the components are made.
mixedkube.aks.ExistingCluster("other", resource_group_name=cluster.resource_group_name)
