package kubeadm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// list returns an output of texts that are known at once.
func list(texts ...string) pulumi.StringArrayInput {
	return pulumi.ToStringArray(texts).ToStringArrayOutput()
}

// A pool joins the cluster of the same program, whose properties are outputs.
func TestTheEndpointAndTheHashesOfAPoolCanBeOutputs(t *testing.T) {
	t.Parallel()
	hash := "sha256:" + strings.Repeat("a", 64)
	graph := mocktest.MustRun(t, newPool(goodPool(func(a *kubeadm.NodePoolArgs) {
		a.Endpoint = pulumi.String("other.example.com:6443").ToStringOutput()
		a.CACertHashes = pulumi.StringArray{pulumi.String(hash).ToStringOutput()}
	})), azure())
	for _, vm := range graph.ByType(machineType) {
		inside := unfolded(customData(t, vm)) + brought(t, vm, graph.MustGet(t, extensionType, vm.Name+"-bootstrap"))
		for text, want := range map[string]bool{"other.example.com:6443": true, hash: true, "api.example.com": false} {
			if strings.Contains(inside, text) != want {
				t.Errorf("%s is told of %s: %t", vm, text, !want)
			}
		}
	}
}

func TestAnEndpointThatIsNotKnown(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, newPool(goodPool(func(a *kubeadm.NodePoolArgs) {
		a.Endpoint = mocktest.Unknown[pulumi.StringOutput]()
		a.CACertHashes = mocktest.Unknown[pulumi.StringArrayOutput]()
	})), mocktest.Preview(), azure())
	machines := graph.ByType(machineType)
	if len(machines) != 2 {
		t.Fatalf("there are the machines %v", machines)
	}
	for _, vm := range machines {
		if got := mocktest.Plain(vm.Inputs)["osProfile"].(map[string]any)["customData"]; got == "" {
			t.Errorf("%s has no customData", vm)
		}
		equal(t, "what is unknown of "+vm.String(), true, strings.Contains(
			strings.Join(vm.Unknowns(), " "), "osProfile.customData"))
	}
}

func TestInvalidInputsOfAPoolFromOutputs(t *testing.T) {
	t.Parallel()
	const subject = `mixedkube:kubeadm:NodePool "more": `
	for name, tt := range map[string]struct {
		plain, output func(*kubeadm.NodePoolArgs)
		want          string
	}{
		"an endpoint without a port": {
			func(a *kubeadm.NodePoolArgs) { a.Endpoint = pulumi.String("api.example.com") },
			func(a *kubeadm.NodePoolArgs) { a.Endpoint = pulumi.String("api.example.com").ToStringOutput() },
			subject + `endpoint: Invalid value: "api.example.com": `,
		},
		"no endpoint": {
			func(a *kubeadm.NodePoolArgs) { a.Endpoint = pulumi.String("") },
			func(a *kubeadm.NodePoolArgs) { a.Endpoint = pulumi.String("").ToStringOutput() },
			subject + "endpoint: Required value: ",
		},
		"an invalid hash": {
			func(a *kubeadm.NodePoolArgs) { a.CACertHashes = pulumi.ToStringArray([]string{"sha1:0"}) },
			func(a *kubeadm.NodePoolArgs) { a.CACertHashes = list("sha1:0") },
			subject + `caCertHashes[0]: Invalid value: "sha1:0": `,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(newPool(goodPool(tt.plain)), azure())
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) || len(graph.Resources()) > 0 {
				t.Fatalf("%v, %v, want %s and no resource", err, graph.Resources(), tt.want)
			}
			graph, later := mocktest.Run(newPool(goodPool(tt.output)), azure())
			if later == nil || !strings.Contains(later.Error(), err.Error()) {
				t.Errorf("of an output: %v\nwant %v", later, err)
			}
			equal(t, "extensions", []string(nil), names(graph, extensionType))
		})
	}
}

// sources returns the sources of the rules whose ranges are arguments.
func sources(t *testing.T, graph *mocktest.Graph) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, group := range graph.ByType(groupType) {
		for _, r := range group.Plain()["securityRules"].([]any) {
			rule := r.(map[string]any)
			if name := rule["name"].(string); name == "api-server-clients" || name == "node-ports" {
				all[name] = prefixesOf(rule, "sourceAddress")
			}
		}
	}
	return all
}

func TestRangesCanBeOutputs(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ api, nodes []string }{
		"one":     {[]string{"203.0.113.7"}, []string{"198.51.100.0/24"}},
		"several": {[]string{"203.0.113.7", "203.0.113.9"}, []string{"198.51.100.0/24", "198.51.101.0/24"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := map[string][]string{"api-server-clients": tt.api, "node-ports": tt.nodes}
			plain := made(t, small(func(a *kubeadm.ClusterArgs) {
				a.APIServer.AuthorizedIPRanges = pulumi.ToStringArray(tt.api)
				a.NodePortSources = pulumi.ToStringArray(tt.nodes)
			}))
			outputs := made(t, small(func(a *kubeadm.ClusterArgs) {
				a.APIServer.AuthorizedIPRanges = list(tt.api...)
				var each pulumi.StringArray
				for _, text := range tt.nodes {
					each = append(each, pulumi.String(text).ToStringOutput())
				}
				a.NodePortSources = each
			}))
			if diff := cmp.Diff(want, sources(t, outputs)); diff != "" {
				t.Errorf("the sources (-want +got):\n%s", diff)
			}
			for _, group := range []string{"shop-control-plane-security", "shop-nodes-security"} {
				want, got := plain.MustGet(t, groupType, group).Plain(), outputs.MustGet(t, groupType, group).Plain()
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("outputs make another %s (-plain +outputs):\n%s", group, diff)
				}
			}
		})
	}
}

func TestUnknownRangesAndInvalidOnesFromOutputs(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, newCluster(small(func(a *kubeadm.ClusterArgs) {
		a.APIServer.AuthorizedIPRanges = mocktest.Unknown[pulumi.StringArrayOutput]()
		a.NodePortSources = pulumi.StringArray{
			pulumi.String("198.51.100.0/24"), mocktest.Unknown[pulumi.StringOutput](),
		}
	})), mocktest.Preview(), azure())
	rules := strings.Join(graph.MustGet(t, groupType, "shop-control-plane-security").Unknowns(), " ")
	if !strings.Contains(rules, "sourceAddressPrefixes") {
		t.Errorf("what is unknown of the rules is %s", rules)
	}
	const subject = `mixedkube:kubeadm:Cluster "shop": `
	for want, change := range map[string]func(*kubeadm.ClusterArgs){
		"apiServer.authorizedIPRanges[1]: … (MK649)": func(a *kubeadm.ClusterArgs) {
			a.APIServer.AuthorizedIPRanges = list("203.0.113.7", "office")
		},
		"apiServer.authorizedIPRanges: Required value: turns out to be empty: leave it out if that is right": func(
			a *kubeadm.ClusterArgs,
		) {
			a.APIServer.AuthorizedIPRanges = list()
		},
		"nodePortSources[0]: … (MK649)": func(a *kubeadm.ClusterArgs) {
			a.NodePortSources = pulumi.StringArray{pulumi.String("home").ToStringOutput()}
		},
	} {
		_, err := mocktest.Run(newCluster(small(change)), azure())
		if err == nil || !strings.Contains(brief(err.Error()), subject+want) {
			t.Errorf("%v\nwant %s%s", err, subject, want)
		}
	}
	// A plain value next to an output is checked at once.
	graph, err := mocktest.Run(newCluster(small(func(a *kubeadm.ClusterArgs) {
		a.NodePortSources = pulumi.StringArray{mocktest.Unknown[pulumi.StringOutput](), pulumi.String("home")}
	})), mocktest.Preview(), azure())
	if err == nil || brief(err.Error()) != subject+"nodePortSources[1]: … (MK649)" || len(graph.Resources()) > 0 {
		t.Errorf("%v, %v", err, graph.Resources())
	}
}
