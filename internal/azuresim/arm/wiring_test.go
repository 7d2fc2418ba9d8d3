package arm

import (
	"testing"
)

const (
	inNetworkProvider = groupID + "/providers/Microsoft.Network/"

	nicID      = inNetworkProvider + "networkInterfaces/nic"
	nic2ID     = inNetworkProvider + "networkInterfaces/nic2"
	groupNSGID = inNetworkProvider + "networkSecurityGroups/nodes"
	tableID    = inNetworkProvider + "routeTables/table"
	natID      = inNetworkProvider + "natGateways/nat"
	balancerID = inNetworkProvider + "loadBalancers/lb"
	addressID  = inNetworkProvider + "publicIPAddresses/ip"
	poolID     = balancerID + "/backendAddressPools/pool"
	frontID    = balancerID + "/frontendIPConfigurations/front"
	probeID    = balancerID + "/probes/probe"
)

func ref(id string) Body { return Body{"id": id} }

func refs(ids ...string) []any {
	list := []any{}
	for _, id := range ids {
		list = append(list, ref(id))
	}
	return list
}

// located returns a body in the region of the tests.
func located(properties Body) Body { return Body{"location": "westeurope", "properties": properties} }

// configuration returns an IP configuration in the subnet of the nodes, with changes.
func configuration(change map[string]any) Body {
	properties := Body{"subnet": ref(subnetID)}
	apply(properties, change)
	return Body{"name": "main", "properties": properties}
}

func nicBody(change map[string]any) Body {
	return located(Body{"ipConfigurations": []any{configuration(change)}})
}

// rule returns a security rule that lets all packets in, with changes.
func rule(name string, priority int, change map[string]any) Body {
	properties := Body{
		"priority": priority, "direction": "Inbound", "access": "Allow", "protocol": "*",
		"sourceAddressPrefix": "*", "sourcePortRange": "*", "destinationAddressPrefix": "*",
		"destinationPortRange": "*",
	}
	apply(properties, change)
	return Body{"name": name, "properties": properties}
}

func groupBody(rules ...any) Body { return located(Body{"securityRules": rules}) }

func route(name, prefix, kind, next string) Body {
	properties := Body{"addressPrefix": prefix, "nextHopType": kind}
	if next != "" {
		properties["nextHopIpAddress"] = next
	}
	return Body{"name": name, "properties": properties}
}

func addressBody() Body {
	return Body{
		"location": "westeurope", "sku": Body{"name": "Standard"},
		"properties": Body{"publicIPAllocationMethod": "Static"},
	}
}

func addressOfSKU(name string) Body {
	body := addressBody()
	body["sku"] = Body{"name": name}
	return body
}

func natBody(addresses ...string) Body {
	return Body{
		"location": "westeurope", "sku": Body{"name": "Standard"},
		"properties": Body{"publicIpAddresses": refs(addresses...)},
	}
}

// natOfV2 returns a NAT gateway of the SKU StandardV2, in all zones.
func natOfV2(addresses ...string) Body {
	body := natBody(addresses...)
	body["sku"], body["zones"] = Body{"name": "StandardV2"}, []any{"1", "2", "3"}
	return body
}

// balancerBody returns an internal load balancer in the subnet of the nodes with a rule for the port 6443, changed by
// the values at paths below properties.
func balancerBody(change map[string]any) Body {
	properties := Body{
		"frontendIPConfigurations": []any{Body{"name": "front", "properties": Body{"subnet": ref(subnetID)}}},
		"backendAddressPools":      []any{Body{"name": "pool"}},
		"probes":                   []any{Body{"name": "probe", "properties": Body{"protocol": "Tcp", "port": 6443}}},
		"loadBalancingRules":       []any{balancing("api", nil)},
	}
	apply(properties, change)
	return Body{"location": "westeurope", "sku": Body{"name": "Standard"}, "properties": properties}
}

// publicBody returns the same at a public address.
func publicBody(change map[string]any) Body {
	body := balancerBody(map[string]any{
		"frontendIPConfigurations": []any{Body{"name": "front", "properties": Body{"publicIPAddress": ref(addressID)}}},
	})
	apply(body["properties"].(Body), change)
	return body
}

func balancing(name string, change map[string]any) Body {
	properties := Body{
		"frontendIPConfiguration": ref(frontID), "backendAddressPool": ref(poolID), "probe": ref(probeID),
		"protocol": "Tcp", "frontendPort": 6443, "backendPort": 6443,
	}
	apply(properties, change)
	return Body{"name": name, "properties": properties}
}

// wired returns a cloud with the network of the tests.
func wired(t *testing.T) *Cloud {
	t.Helper()
	cloud := emptyCloud(t, Options{})
	mustPut(t, cloud, networkID, networkBody())
	return cloud
}

// putAll puts bodies in their order.
func putAll(t *testing.T, cloud *Cloud, bodies ...any) {
	t.Helper()
	for i := 0; i < len(bodies); i += 2 {
		mustPut(t, cloud, bodies[i].(string), bodies[i+1].(Body))
	}
}

// refusal is a request that Azure refuses, and its answer.
type refusal struct {
	// before are bodies that are put first.
	before []any
	id     string
	body   Body
	want   *Error
	// in returns the cloud. By default it is wired.
	in func(t *testing.T) *Cloud
}

// wantRefusals sends each request to a cloud of its own.
func wantRefusals(t *testing.T, cases map[string]refusal) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.check(t)
		})
	}
}

// check sends the request. A refused request changes nothing.
func (r refusal) check(t *testing.T) {
	t.Helper()
	in := wired
	if r.in != nil {
		in = r.in
	}
	cloud := in(t)
	putAll(t, cloud, r.before...)
	before, had := cloud.Get(t.Context(), r.id)
	_, err := cloud.Put(t.Context(), r.id, r.body)
	wantError(t, err, r.want)
	after, has := cloud.Get(t.Context(), r.id)
	if !same(before, after) || (had == nil) != (has == nil) {
		t.Errorf("it was\n%v, and is\n%v", before, after)
	}
}

func dangling(to, by, path string) *Error {
	return bad400("InvalidResourceReference", path,
		"Resource "+to+" referenced by resource "+by+
			" was not found. Please make sure that the referenced resource exists, and that both resources are in "+
			"the same region.")
}

func unreadableRequest(why string) *Error {
	return bad400("InvalidRequestFormat", "", "Cannot parse the request: "+why)
}

func addressInUse(by, address, holder string) *Error {
	return bad400("PublicIPAddressInUse", "",
		"Resource "+by+" is referencing public IP address "+address+" that is already allocated to resource "+holder+
			".")
}
