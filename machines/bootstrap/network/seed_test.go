package network_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// legacyConfig is what an old configuration, for wincni.exe and version 1 of HNS, says.
type legacyConfig struct {
	Name string
	IPAM struct {
		Subnet string
		Routes []struct{ GW string }
	}
	DNS            struct{ Nameservers []string }
	AdditionalArgs []struct {
		Name  string
		Value struct {
			Type              string
			ExceptionList     []string
			DestinationPrefix string
			NeedEncap         bool
		}
	}
}

// currentConfig is what the present one says.
type currentConfig struct {
	Name    string
	Plugins []struct {
		IPAM struct {
			Ranges [][]struct{ Subnet, Gateway string }
		}
		DNS      struct{ Nameservers []string }
		Policies []struct {
			Name  string
			Value struct {
				Type     string
				Settings struct {
					Exceptions        []string
					DestinationPrefix string
					NeedEncap         bool
				}
			}
		}
	}
}

// facts are what both have.
type facts struct {
	Name, Subnet, Gateway string
	Nameservers           []string
	Exceptions, Routes    []string
}

func (c legacyConfig) facts() facts {
	f := facts{Name: c.Name, Subnet: c.IPAM.Subnet, Gateway: c.IPAM.Routes[0].GW, Nameservers: c.DNS.Nameservers}
	for _, arg := range c.AdditionalArgs {
		switch v := arg.Value; {
		case arg.Name != "EndpointPolicy":
		case v.Type == "OutBoundNAT":
			f.Exceptions = append(f.Exceptions, v.ExceptionList...)
		case v.Type == "ROUTE" && v.NeedEncap:
			f.Routes = append(f.Routes, v.DestinationPrefix)
		}
	}
	return f
}

func (c currentConfig) facts() facts {
	plugin := c.Plugins[0]
	pods := plugin.IPAM.Ranges[0][0]
	f := facts{Name: c.Name, Subnet: pods.Subnet, Gateway: pods.Gateway, Nameservers: plugin.DNS.Nameservers}
	for _, policy := range plugin.Policies {
		switch s := policy.Value.Settings; {
		case policy.Name != "EndpointPolicy":
		case policy.Value.Type == "OutBoundNAT":
			f.Exceptions = append(f.Exceptions, s.Exceptions...)
		case policy.Value.Type == "SDNRoute" && s.NeedEncap:
			f.Routes = append(f.Routes, s.DestinationPrefix)
		}
	}
	return f
}

// The guide for Kubernetes 1.9 has an example of a Windows node's configuration, in
// testdata. Its numbers come out of a plan for the network that it stands for.
func TestThePlanOfAnOldExampleHasItsNumbers(t *testing.T) {
	t.Parallel()
	example, err := os.ReadFile("testdata/wincni.json")
	if err != nil {
		t.Fatal(err)
	}
	var old legacyConfig
	if err := json.Unmarshal(example, &old); err != nil {
		t.Fatal(err)
	}

	n := network.Network{
		Kind:     network.UpstreamL3,
		NodeCIDR: prefix("10.127.132.128/25"), PodCIDR: prefix("10.10.0.0/16"), ServiceCIDR: prefix("11.0.0.0/8"),
		NodeMaskSize: 26,
	}
	p := plan(t, n, []network.Node{{
		Name: "win", Address: addr("10.127.132.213"), Platform: platform.WindowsServer2019,
		PodCIDR: prefix("10.10.187.64/26"),
	}})
	_, content, _ := n.WithDefaults().CNIConfig(p.Nodes[0])
	var current currentConfig
	if err := json.Unmarshal([]byte(content), &current); err != nil {
		t.Fatal(err)
	}

	if diff := cmp.Diff(old.facts(), current.facts()); diff != "" {
		t.Errorf("the example and the plan (-example +plan):\n%s", diff)
	}
	// The comparison would be true of two that were read as nothing.
	want := facts{
		"l2bridge", "10.10.187.64/26", "10.10.187.66",
		[]string{"11.0.0.10"},
		[]string{"11.0.0.0/8", "10.10.0.0/16", "10.127.132.128/25"},
		[]string{"11.0.0.0/8", "10.127.132.213/32"},
	}
	if diff := cmp.Diff(want, old.facts()); diff != "" {
		t.Errorf("the example (-want +got):\n%s", diff)
	}
}
