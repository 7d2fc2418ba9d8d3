package kubeadm_test

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// The finding about an API server that everyone can connect to is in the log of previews and updates. It stops nothing
// and changes no resource.
func TestEveryoneCanConnectToTheAPIServer(t *testing.T) {
	t.Parallel()
	const found = "apiServer.authorizedIPRanges: … (MK668)"
	for name, tt := range map[string]struct {
		server kubeadm.APIServer
		ignore []string
		want   string
	}{
		"no ranges": {want: "info: " + found},
		"ignored":   {ignore: []string{"MK668"}, want: "info: ignored: " + found},
		"ranges":    {server: kubeadm.APIServer{AuthorizedIPRanges: pulumi.ToStringArray([]string{"203.0.113.0/24"})}},
		"private":   {server: kubeadm.APIServer{Private: true}},
		"ranges that are not known": {
			server: kubeadm.APIServer{AuthorizedIPRanges: mocktest.Unknown[pulumi.StringArrayOutput]()},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := small(func(a *kubeadm.ClusterArgs) { a.APIServer, a.Ignore = tt.server, tt.ignore })
			graph := mocktest.MustRun(t, newCluster(args), mocktest.Preview(), azure())
			equal(t, "log", tt.want, brief(everyMessage(graph)...))
		})
	}
	graph := made(t, small(nil))
	ignored := made(t, small(func(a *kubeadm.ClusterArgs) { a.Ignore = []string{"MK668"} }))
	equal(t, "log of an update", "info: "+found, brief(everyMessage(graph)...))
	before, _, _ := strings.Cut(graph.String(), "\nlogs:\n")
	after, _, _ := strings.Cut(ignored.String(), "\nlogs:\n")
	equal(t, "resources", before, after)
}

// The end of support of the version is in the log, too.
func TestAVersionWithoutSupport(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1796169600") // 2 December 2026
	for version, want := range map[string]string{
		"1.34": "warning: kubernetesVersion: … (MK669)",
		"1.35": "info: kubernetesVersion: … (MK669)",
		"1.36": "",
	} {
		args := small(func(a *kubeadm.ClusterArgs) {
			a.KubernetesVersion, a.APIServer.Private = version, true
		})
		graph := mocktest.MustRun(t, newCluster(args), mocktest.Preview(), azure())
		equal(t, version, want, brief(everyMessage(graph)...))
	}
}
