package arm

// kinds are the supported types of resources.
var kinds = []string{
	kindGroup, kindNetwork, kindSubnet, kindAddress, kindIdentity, kindAssignment, kindCluster, kindPool,
	kindNIC, kindSecurityGroup, kindRouteTable, kindRoute, kindNatGateway, kindLoadBalancer,
	kindMachine, kindExtension, kindRunCommand, kindScaleSet,
}

// kindRules are the cloud's rules for resources of one type.
type kindRules struct {
	// model is the SDK's type of the body, see bodyTypes.
	model string
	// readOnly are paths in the body that are ignored.
	readOnly []string
	// put checks and stores a body.
	put func(*request, Body) (*resource, error)
	// remove, if set, returns an error if the resource cannot be deleted.
	remove func(*request, *resource) error
	// view, if set, adds the properties that are not stored with the body.
	view func(*state, *resource, Body)
}

func rulesOf(kind string) kindRules {
	switch kind {
	case kindGroup:
		return kindRules{
			model:    "armresources.ResourceGroup",
			readOnly: []string{"id", "name", "type", "properties.provisioningState"},
			put:      (*request).putGroup,
		}
	case kindNetwork:
		return kindRules{
			model: "armnetwork.VirtualNetwork",
			readOnly: []string{
				"id", "name", "type", "etag", "properties.provisioningState", "properties.resourceGuid",
				"properties.flowLogs", "properties.defaultPublicNatGateway",
			},
			put: (*request).putNetwork, remove: (*request).removeNetwork, view: viewNetwork,
		}
	case kindSubnet:
		return kindRules{
			model: "armnetwork.Subnet", readOnly: subnetReadOnly,
			put: (*request).putSubnet, remove: (*request).removeNetwork, view: viewSubnet,
		}
	case kindAddress:
		return kindRules{
			model: "armnetwork.PublicIPAddress",
			readOnly: []string{
				"id", "name", "type", "etag", "properties.provisioningState", "properties.resourceGuid",
				"properties.ipConfiguration",
				"properties.natGateway",
			},
			put: (*request).putAddress, remove: (*request).removeAddress, view: viewAddress,
		}
	case kindNIC, kindSecurityGroup, kindRouteTable, kindRoute, kindNatGateway, kindLoadBalancer:
		return networkRulesOf(kind)
	case kindIdentity:
		return kindRules{
			model: "armmsi.Identity",
			readOnly: []string{
				"id", "name", "type", "systemData", "properties.clientId", "properties.principalId",
				"properties.tenantId",
			},
			put: (*request).putIdentity, view: viewIdentity,
		}
	case kindAssignment:
		return kindRules{
			model: "armauthorization.RoleAssignment",
			readOnly: []string{
				"id", "name", "type", "properties.createdBy", "properties.createdOn", "properties.scope",
				"properties.updatedBy", "properties.updatedOn",
			},
			put: (*request).putAssignment,
		}
	case kindCluster:
		return kindRules{
			model: "armcontainerservice.ManagedCluster", readOnly: clusterReadOnly,
			put: (*request).putCluster, remove: (*request).removeCluster, view: viewCluster,
		}
	case kindMachine, kindExtension, kindRunCommand, kindScaleSet:
		return computeRules(kind)
	default:
		return kindRules{
			model: "armcontainerservice.AgentPool",
			readOnly: []string{
				"id", "name", "type", "properties.currentOrchestratorVersion", "properties.eTag",
				"properties.nodeImageVersion", "properties.provisioningState", "properties.status",
			},
			put: (*request).putPool, remove: (*request).removePool, view: viewPool,
		}
	}
}
