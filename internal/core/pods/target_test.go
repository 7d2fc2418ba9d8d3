package pods_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

func TestWhetherTheReleaseOfImagesMatters(t *testing.T) {
	t.Parallel()
	const (
		image2022 = "containers: [{name: a, image: 'mcr.microsoft.com/windows/servercore:ltsc2022'}]"
		anyImage  = "containers: [{name: a, image: shop.example/a}]"
	)
	class := func(name, handler string) map[string]any {
		return object(t, "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: "+name+"}, handler: "+
			handler+"}")
	}
	classes := []map[string]any{
		class("process", "runhcs-wcow-process"), class("hypervisor", "runhcs-wcow-hypervisor"), class("kata", "kata"),
		class("late", "$unknown"),
		class("windows-2025", "runhcs-wcow-hypervisor"),
	}
	const hostProcess = "securityContext: {windowsOptions: {hostProcess: "
	for _, tt := range []struct {
		name, spec string
		want       platform.Answer
	}{
		{"usual pods", image2022, platform.Yes},
		{"images without a release", anyImage, platform.Yes},
		{"host process", hostProcess + "true}}\n" + image2022, platform.No},
		{"no host process", hostProcess + "false}}\n" + image2022, platform.Yes},
		{
			"host process of a container",
			"containers: [{name: a, securityContext: {windowsOptions: {hostProcess: true}}}]", platform.No,
		},
		{"host process that is not known yet", hostProcess + "$unknown}}\n" + image2022, platform.Unknown},
		{"host process and a RuntimeClass", hostProcess + "true}}\nruntimeClassName: process", platform.No},
		{"a class for process isolation", "runtimeClassName: process", platform.Yes},
		{"a class for Hyper-V isolation", "runtimeClassName: hypervisor", platform.Unknown},
		{"a class for something else", "runtimeClassName: kata", platform.Unknown},
		{"a class whose handler is not known yet", "runtimeClassName: late", platform.Unknown},
		{"an unknown class", "runtimeClassName: sql", platform.Unknown},
		{"a class that is not known yet", "runtimeClassName: $unknown", platform.Unknown},
		{"no class", "runtimeClassName: ''", platform.Yes},
		{"the class of a platform", "runtimeClassName: windows-2022", platform.Yes},
		{"another class with the name of a platform", "runtimeClassName: windows-2025", platform.Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range []*pods.Context{
				cluster(),
				cluster(platform.WindowsServer2022, platform.WindowsServer2025),
			} {
				p := deployed(t, tt.spec)
				target := c.Target(p, p.ClassAmong(classes))
				if got := target.ReleaseMatters(p); got != tt.want {
					t.Errorf("with %d pools: %s, want %s", len(c.Topology.Pools), got, tt.want)
				}
			}
		})
	}
}
