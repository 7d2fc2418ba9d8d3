package podnetwork

import (
	"bytes"
	"encoding/json"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// hnsPolicy is a policy as hcsshim's hcn.EndpointPolicy: the plugins hand the value of one called
// EndpointPolicy on as it is (https://github.com/containernetworking/plugins, pkg/hns).
type hnsPolicy struct {
	Type     string
	Settings json.RawMessage
}

// acl is what hcsshim's hcn.AclPolicySetting has to say.
type acl struct {
	Protocols, Action, Direction, RemoteAddresses, RemotePorts, RuleType string
	Priority                                                             uint16
}

// hcsshim takes all policies of the configurations of Windows nodes, none has a field that it does
// not know, and those that keep pods from Azure's addresses say what they are to say.
func TestPoliciesOfWindowsNodesMatchHCSShim(t *testing.T) {
	types := hcsshimTypes(t)
	allow := func(direction string) acl { return acl{Action: "Allow", Direction: direction, Priority: 65500} }
	wireServer := func(port string) acl {
		return acl{
			Protocols: "6", Action: "Block", Direction: "Out", RemoteAddresses: "168.63.129.16/32", RemotePorts: port,
			RuleType: "Switch", Priority: 200,
		}
	}
	metadata := acl{
		Action: "Block", Direction: "Out", RemoteAddresses: "169.254.169.254/32", RuleType: "Switch", Priority: 200,
	}
	want := []acl{wireServer("80"), wireServer("32526"), metadata, allow("In"), allow("Out")}
	for _, kind := range []network.Kind{network.UpstreamL3, network.HostGateway, network.FlannelVXLAN} {
		t.Run(string(kind), func(t *testing.T) {
			var got []acl
			for _, p := range windowsPolicies(t, kind) {
				settings, known := types[p.Type]
				if !known {
					t.Errorf("hcsshim's type for %s is not in the test", p.Type)
					continue
				}
				strictly(t, p.Settings, settings())
				if p.Type == "ACL" {
					var a acl
					strictly(t, p.Settings, &a)
					got = append(got, a)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("ACLs (-want +got):\n%s", diff)
			}
		})
	}
}

// The types refuse what hcsshim does not know: without that the test above would say nothing.
func TestTypesOfHCSShimAreStrict(t *testing.T) {
	types := hcsshimTypes(t)
	for kind, wrong := range map[string]string{
		"ACL":         `{"Protocol": "6"}`,
		"OutBoundNAT": `{"ExceptionList": []}`,
		"SDNRoute":    `{"NeedEncap": "yes"}`,
	} {
		if err := decodeStrictly([]byte(wrong), types[kind]()); err == nil {
			t.Errorf("%s takes %s", kind, wrong)
		}
	}
	if err := decodeStrictly([]byte(`{"Priority": 65536}`), types["ACL"]()); err == nil ||
		!strings.Contains(err.Error(), "uint16") {
		t.Errorf("a priority that is too large: %v", err)
	}
}

// windowsPolicies returns the policies in the configuration of a Windows node in Azure.
func windowsPolicies(t *testing.T, kind network.Kind) []hnsPolicy {
	t.Helper()
	n := plan.Cluster{Network: network.Network{
		Kind: kind, NodeCIDR: netip.MustParsePrefix("10.0.0.0/24"),
	}}.WithDefaults().Network
	p, err := n.Plan([]network.Node{{
		Name: "win", Address: netip.MustParseAddr("10.0.0.5"), Platform: platform.WindowsServer2022,
	}})
	if err != nil {
		t.Fatal(err)
	}
	type plugin struct {
		APIVersion int
		Policies   []struct {
			Name  string
			Value json.RawMessage
		}
	}
	var config struct {
		plugin
		Delegate plugin
	}
	if err := json.Unmarshal(loaded(t, n, p.Nodes[0]).Plugins[0].Bytes, &config); err != nil {
		t.Fatal(err)
	}
	if config.APIVersion+config.Delegate.APIVersion != 2 {
		t.Fatalf("not of version 2 of the API: %+v", config)
	}
	var policies []hnsPolicy
	for _, p := range append(config.Policies, config.Delegate.Policies...) {
		if p.Name != "EndpointPolicy" {
			t.Errorf("the plugins drop a policy called %q", p.Name)
		}
		var policy hnsPolicy
		strictly(t, p.Value, &policy)
		policies = append(policies, policy)
	}
	return policies
}

func strictly(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := decodeStrictly(text, into); err != nil {
		t.Errorf("%v in %s", err, text)
	}
}

func decodeStrictly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}
