package aks_test

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// The finding about an API server that everyone can connect to is in the log of previews and updates. It stops nothing
// and changes no resource.
func TestEveryoneCanConnectToTheAPIServer(t *testing.T) {
	t.Parallel()
	const found = "apiServer.authorizedIPRanges: … (MK770)"
	unknown := mocktest.Unknown[pulumi.StringOutput]()
	for name, tt := range map[string]struct {
		server aks.APIServer
		ignore []string
		want   string
	}{
		"no ranges": {want: "info: " + found},
		"ignored":   {ignore: []string{"MK770"}, want: "info: ignored: " + found},
		"ranges":    {server: aks.APIServer{AuthorizedIPRanges: pulumi.StringArray{pulumi.String("203.0.113.0/24")}}},
		"private":   {server: aks.APIServer{Private: true}},
		"an empty list": {
			server: aks.APIServer{AuthorizedIPRanges: pulumi.StringArray{}}, want: "info: " + found,
		},
		"a range that is an output": {
			server: aks.APIServer{
				AuthorizedIPRanges: pulumi.StringArray{pulumi.String("203.0.113.7").ToStringOutput()},
			},
		},
		"a range that is not known": {server: aks.APIServer{AuthorizedIPRanges: pulumi.StringArray{unknown}}},
		"ranges that are not known": {
			server: aks.APIServer{AuthorizedIPRanges: mocktest.Unknown[pulumi.StringArrayOutput]()},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := small(func(a *aks.ClusterArgs) { a.APIServer, a.Ignore = tt.server, tt.ignore })
			graph := mocktest.MustRun(t, newCluster(args), mocktest.Preview(), akstest.Azure())
			equal(t, "log", tt.want, brief(everyMessage(graph)...))
		})
	}
	graph := mocktest.MustRun(t, newCluster(small(nil)), akstest.Azure())
	ignored := mocktest.MustRun(t, newCluster(small(func(a *aks.ClusterArgs) {
		a.Ignore = []string{"MK770"}
	})), akstest.Azure())
	equal(t, "log of an update", "info: "+found, brief(everyMessage(graph)...))
	before, _, _ := strings.Cut(graph.String(), "\nlogs:\n")
	after, _, _ := strings.Cut(ignored.String(), "\nlogs:\n")
	equal(t, "resources", before, after)
}

// A cluster that could not be looked up can be private in Azure.
func TestNothingIsKnownAboutAClusterThatWasNotLookedUp(t *testing.T) {
	t.Parallel()
	taken := takingOver(func(a *aks.ClusterArgs) {
		a.Pools[0].Size, a.Pools[1].Size = "Standard_D4s_v5", "Standard_D4s_v5"
	})
	for name, args := range map[string]*aks.ClusterArgs{"created": inGroup(nil), "taken over": taken} {
		graph, err := mocktest.Run(newCluster(args), mocktest.Preview(), mocktest.Calls(
			func(call mocktest.Call) (resource.PropertyMap, error) { return call.Args, nil }, // as in Pulumi's pages
		))
		equal(t, name, []string(nil), everyMessage(graph))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
