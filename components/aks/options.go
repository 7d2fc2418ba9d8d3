package aks

import (
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
)

const (
	clusterType  = "azure-native:containerservice:ManagedCluster"
	poolType     = "azure-native:containerservice:AgentPool"
	groupType    = "azure-native:resources:ResourceGroup"
	providerType = "pulumi:providers:kubernetes"
)

// reached describes the resources that the options of a cluster can reach.
func (s clusterSpec) reached() childoptions.Component {
	c := childoptions.Component{
		Token: clusterToken, Name: s.name,
		Main:   childoptions.Child{Type: clusterType, Name: s.name + "-cluster"},
		Others: []childoptions.Child{{Type: providerType, Name: s.name + "-kubernetes"}},
	}
	if s.ResourceGroupName == nil {
		c.Others = append(c.Others, childoptions.Child{Type: groupType, Name: s.name + "-rg"})
	}
	for _, pool := range s.Pools {
		c.Others = append(c.Others, childoptions.Child{
			Type: poolType, Name: s.name + "-" + s.nameInAzure(pool), Short: pool.Name,
		})
	}
	return c
}

// reached describes the resource that the options of a pool can reach: azure-native's resource of the pool.
func (n nodePool) reached() childoptions.Component {
	return childoptions.Component{
		Token: nodePoolToken, Name: n.name, Main: childoptions.Child{Type: poolType, Name: n.resource()},
	}
}

// reached describes the resource that the options of an existing cluster can reach: its provider.
func (c *ExistingCluster) reached() childoptions.Component {
	return childoptions.Component{
		Token: existingToken, Name: c.name,
		Others: []childoptions.Child{{Type: providerType, Name: c.name + "-kubernetes"}},
	}
}
