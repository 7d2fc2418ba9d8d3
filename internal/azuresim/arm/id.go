package arm

import (
	"slices"
	"strings"
)

const subscription = "00000000-0000-0000-0000-000000000000"

// armID is the ID of a resource, split into its parts.
type armID struct {
	// text is the ID as it was written.
	text string
	// kind is the type, Microsoft.ContainerService/managedClusters/agentPools for example, and names has the name at
	// each of its levels.
	kind  string
	names []string
	// group is the name of the resource group, empty for a role assignment of the subscription.
	group string
	// parent is the resource or group that has to exist, empty for a group.
	parent string
}

// key returns the same for all spellings of an ID.
func (id armID) key() string { return keyOf(id.text) }

func (id armID) name() string { return id.names[len(id.names)-1] }

// isChild reports whether the resource is part of another one.
func (id armID) isChild() bool { return len(id.names) > 1 }

func keyOf(id string) string { return strings.ToLower(id) }

const (
	kindGroup      = "Microsoft.Resources/resourceGroups"
	kindNetwork    = "Microsoft.Network/virtualNetworks"
	kindSubnet     = "Microsoft.Network/virtualNetworks/subnets"
	kindAddress    = "Microsoft.Network/publicIPAddresses"
	kindIdentity   = "Microsoft.ManagedIdentity/userAssignedIdentities"
	kindAssignment = "Microsoft.Authorization/roleAssignments"
	kindCluster    = "Microsoft.ContainerService/managedClusters"
	kindPool       = "Microsoft.ContainerService/managedClusters/agentPools"

	kindNIC           = "Microsoft.Network/networkInterfaces"
	kindSecurityGroup = "Microsoft.Network/networkSecurityGroups"
	kindRouteTable    = "Microsoft.Network/routeTables"
	kindRoute         = "Microsoft.Network/routeTables/routes"
	kindNatGateway    = "Microsoft.Network/natGateways"
	kindLoadBalancer  = "Microsoft.Network/loadBalancers"
)

const (
	kindMachine   = "Microsoft.Compute/virtualMachines"
	kindExtension = "Microsoft.Compute/virtualMachines/extensions"
	// kindRunCommand is a managed run command. Other run commands are actions of a machine.
	kindRunCommand = "Microsoft.Compute/virtualMachines/runCommands"
	kindScaleSet   = "Microsoft.Compute/virtualMachineScaleSets"
)

// parseID splits an ID, and refuses types that the cloud does not have.
func parseID(text string) (armID, error) {
	parts := strings.Split(strings.TrimPrefix(text, "/"), "/")
	if !strings.HasPrefix(text, "/") || slices.Contains(parts, "") || !strings.EqualFold(parts[0], "subscriptions") ||
		len(parts) < 2 {
		return armID{}, refused("InvalidResourceId", "", "The resource ID '%s' is invalid.", text)
	}
	if parts[1] != subscription {
		return armID{}, notFound("SubscriptionNotFound", "The subscription '%s' could not be found.", parts[1])
	}
	id := armID{text: text}
	if len(parts) >= 4 && strings.EqualFold(parts[2], "resourceGroups") {
		id.group = parts[3]
	}
	if len(parts) == 4 && id.group != "" {
		id.kind, id.names = kindGroup, parts[3:4]
		return id, nil
	}
	if id, ok := parseFeature(text, parts); ok {
		return id, nil
	}
	return parseProvider(id, parts)
}

// parseProvider reads the part after the last "providers": a role assignment is below the provider of the resource that
// it is for.
func parseProvider(id armID, parts []string) (armID, error) {
	at := len(parts) - 1
	for at >= 0 && !strings.EqualFold(parts[at], "providers") {
		at--
	}
	if at < 2 || len(parts)-at < 4 || (len(parts)-at)%2 != 0 {
		return armID{}, refused("InvalidResourceId", "", "The resource ID '%s' is invalid.", id.text)
	}
	types := parts[at+1 : at+2]
	for i := at + 2; i < len(parts); i += 2 {
		types = append(slices.Clip(types), parts[i])
		id.names = append(id.names, parts[i+1])
	}
	kind := strings.Join(types, "/")
	for _, known := range kinds {
		if strings.EqualFold(known, kind) {
			id.kind = known
		}
	}
	isAssignment := id.kind == kindAssignment
	if id.kind == "" || !isAssignment && (at != 4 || id.group == "") {
		namespace, rest, _ := strings.Cut(kind, "/")
		return armID{}, notFound("InvalidResourceType",
			"The resource type '%s' could not be found in the namespace '%s'.", rest, namespace)
	}
	above := parts[:at]
	if id.isChild() {
		above = parts[:len(parts)-2]
	}
	id.parent = "/" + strings.Join(above, "/")
	return id, nil
}
