package plan_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// A cluster uses the facts that its arguments do not replace.
func TestUsedFacts(t *testing.T) {
	t.Parallel()
	defaults := plan.Cluster{
		KubernetesVersion: "1.36", Releases: bootstrap.Releases{}.WithDefaults(),
		Pools: []topology.Pool{{Name: "win", Platform: platform.WindowsServer2022}},
	}
	others := []string{
		"CNIPlugins", "CNIPluginsLinux", "Containerd", "ContainerdLinux", "ContainerdPairs", "KubernetesOfKops",
		"PauseImages", "Runc", "RuncLinux",
	}
	ubuntu := lives.UsedBy("machines/kubeadm/plan")
	always := slices.DeleteFunc(slices.Clone(ubuntu), func(name string) bool { return name == "UbuntuOffer" })
	if len(always) != len(ubuntu)-1 {
		t.Errorf("the plan reads %v", ubuntu)
	}
	windows := slices.Insert(slices.Clone(others), 5, "Flannel", "FlannelPlugin")
	own := defaults
	own.ControlPlane.Image = plan.Image{ID: "/image"}
	own.Releases.Kubernetes = []bootstrap.KubernetesRelease{{Version: "1.36.99"}}
	own.Releases.Containerd.Version, own.Releases.Runc.Version = "9.9.9", "9.9.9"
	own.Releases.CNIPlugins.Version = "9.9.9"
	own.Releases.Flannel.Version, own.Releases.FlannelPlugin.Version = "9.9.9", "9.9.9"
	own.Releases.PauseImage = "example.com/pause:9"
	mixed := defaults
	mixed.Pools = []topology.Pool{{Name: "old", Platform: platform.Linux, KubernetesVersion: "1.35"}}
	for name, tt := range map[string]struct {
		cluster plan.Cluster
		want    []string
	}{
		"the defaults":        {defaults, slices.Concat(windows, ubuntu)},
		"releases and images": {own, slices.Concat([]string{"ContainerdPairs"}, always)},
		"an older pool":       {mixed, slices.Insert(slices.Concat(others, ubuntu), 6, "KubernetesOfKubespray")},
	} {
		if diff := cmp.Diff(tt.want, tt.cluster.WithDefaults().UsedFacts()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	join := plan.Joining{
		Pool: topology.Pool{Name: "win", Platform: platform.WindowsServer2022}, KubernetesVersion: "1.36",
		Releases: defaults.Releases,
	}
	if diff := cmp.Diff(slices.Concat(windows, always), join.WithDefaults().UsedFacts()); diff != "" {
		t.Errorf("a Windows pool (-want +got):\n%s", diff)
	}
}
