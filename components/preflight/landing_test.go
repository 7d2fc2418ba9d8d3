package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
)

func TestWhetherTheReleaseOfImagesMatters(t *testing.T) {
	t.Parallel()
	class := func(name, handler string) map[string]any {
		return object(t, "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: "+name+"}, handler: "+handler+"}")
	}
	classes := []map[string]any{
		class("process", "runhcs-wcow-process"), class("hypervisor", "runhcs-wcow-hypervisor"), class("kata", "kata"), class("late", "'!unknown'"),
		class("windows-2025", "runhcs-wcow-hypervisor"),
	}
	const hostProcess = "securityContext: {windowsOptions: {hostProcess: "
	for _, tt := range []struct {
		name, spec string
		want       platform.Answer
	}{
		{"pods as usual", image2022, platform.Yes},
		{"images that tell no release", anyImage, platform.Yes},
		{"host process", hostProcess + "true}}\n" + image2022, platform.No},
		{"no host process", hostProcess + "false}}\n" + image2022, platform.Yes},
		{"host process of a container", "containers: [{name: a, securityContext: {windowsOptions: {hostProcess: true}}}]", platform.No},
		{"host process that is not known yet", hostProcess + "$unknown}}\n" + image2022, platform.Unknown},
		{"host process and a RuntimeClass", hostProcess + "true}}\nruntimeClassName: process", platform.No},
		{"a class for process isolation", "runtimeClassName: process", platform.Yes},
		{"a class for Hyper-V isolation", "runtimeClassName: hypervisor", platform.Unknown},
		{"a class for something else", "runtimeClassName: kata", platform.Unknown},
		{"a class whose handler is not known yet", "runtimeClassName: late", platform.Unknown},
		{"a class that nobody knows", "runtimeClassName: sql", platform.Unknown},
		{"a class that is not known yet", "runtimeClassName: $unknown", platform.Unknown},
		{"no class", "runtimeClassName: ''", platform.Yes},
		{"the class of a platform", "runtimeClassName: windows-2022", platform.Yes},
		{"another class with the name of one", "runtimeClassName: windows-2025", platform.Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, options := range []preflight.Options{{}, mixed(win22, win25)} {
				if got := preflight.New(options).ReleaseMatters(inSpec(t, "Deployment", tt.spec), classes...); got != tt.want {
					t.Errorf("with %d pools: %s, want %s", len(options.Topology.Pools), got, tt.want)
				}
			}
		})
	}
	if got := preflight.New(mixed(win22)).ReleaseMatters(map[string]any{"kind": "Service"}); got != platform.Unknown {
		t.Errorf("of a Service: %s, want unknown", got)
	}
}
