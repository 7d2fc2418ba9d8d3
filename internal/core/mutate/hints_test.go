package mutate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

func TestPodsThatMentionWindowsAreNotAssumedToBeForLinux(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	both := cluster(platform.WindowsServer2019, platform.WindowsServer2022)
	adopt := adopter(options{Topology: both, AssumeLinux: true})
	withCommand := func(key string, command ...any) m {
		object := pod(nil, silentImage)
		object["spec"].(m)["containers"].([]any)[0].(m)[key] = command
		return object
	}
	volume := func(path string) m {
		return pod(m{"volumes": []any{m{"name": "data", "hostPath": m{"path": path}}}}, silentImage)
	}
	windowsOptions := m{"windowsOptions": m{"runAsUserName": "ContainerUser"}}
	initImage := pod(nil, silentImage)
	initImage["spec"].(m)["initContainers"] = []any{m{"image": silentImage}, m{"image": "shop/iis-windows-ltsc2019"}}
	for name, tt := range map[string]struct {
		object m
		// why they are not assumed to be for Linux, "" if they are.
		why string
	}{
		"nothing": {pod(nil, silentImage), ""},
		"a toleration of the default taint": {pod(m{"tolerations": []any{m{
			"key": "os", "value": "windows",
			"effect": "NoSchedule",
		}}}, silentImage), "Windows is mentioned in tolerations"},
		"a toleration of another taint": {pod(m{"tolerations": []any{m{"key": "gpu", "operator": "Exists"}}},
			silentImage), ""},
		"a label of a cloud": {pod(m{"nodeSelector": m{"cloud.google.com/gke-os-distribution": "windows_ltsc"}},
			silentImage), "Windows is mentioned in nodeSelector"},
		"an affinity": {
			pod(m{"affinity": m{"podAffinity": m{"x": []any{m{"labels": m{"team": "windows"}}}}}}, silentImage),
			"Windows is mentioned in affinity",
		},
		"options of the pod": {
			pod(m{"securityContext": windowsOptions}, silentImage),
			"securityContext.windowsOptions is set",
		},
		"options of a container": {
			m{
				"kind": "Pod",
				"spec": m{"containers": []any{m{"securityContext": windowsOptions}}},
			},
			"containers[0].securityContext.windowsOptions is set",
		},
		"a directory on a drive": {volume(`C:\data`), "volumes[0].hostPath.path is a Windows path"},
		"a named pipe": {
			volume(`\\.\pipe\docker_engine`),
			"volumes[0].hostPath.path is a Windows path",
		},
		"a directory of Linux": {volume("/var/lib/data"), ""},
		"PowerShell": {
			withCommand("command", "powershell", "-Command", "ls"),
			"containers[0].command is a Windows program",
		},
		"a program": {
			withCommand("args", `/k/Server.EXE`),
			"containers[0].args is a Windows program",
		},
		"a program on a drive": {
			withCommand("command", "c:/k/server"),
			"containers[0].command is a Windows program",
		},
		"a shell of Linux": {withCommand("command", "sh", "-c", "run.exe"), ""},
		"the name of an image": {
			pod(nil, silentImage,
				"mcr.microsoft.com/aks/aks-windows-gpu-device-plugin:0.0.17"),
			"Windows is mentioned in containers[1].image",
		},
		"the image of an init container": {initImage, "Windows is mentioned in initContainers[1].image"},
		"the tag of an image": {
			pod(nil, "shop/agent:win-1.4"),
			"Windows is mentioned in containers[0].image",
		},
		"a secret image": {
			m{
				"kind": "Pod",
				"spec": m{"containers": []any{m{"image": tree.Secret{Value: "shop/hidden-windows"}}}},
			},
			"Windows is mentioned in containers[0].image",
		},
		"a registry": {pod(nil, "windows.example.com/shop/web:1"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := mutate.AssumedLinux
			if tt.why != "" {
				want = mutate.Unknown
			}
			got := adopt(tt.object, "")
			if got.Outcome != want || (len(got.Edits) > 0) != (tt.why == "") || got.NotLinux != tt.why {
				t.Errorf("the outcome is %d with the edits %v as %q, want %d as %q", got.Outcome, written(got.Edits),
					got.NotLinux, want, tt.why)
			}
			if got := adopter(options{Topology: both})(tt.object, ""); got.NotLinux != "" {
				t.Errorf("NotLinux is %q without AssumeLinux", got.NotLinux)
			}
		})
	}
}

func TestHintsAgainstLinux(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	for _, tt := range []struct {
		name   string
		object m
		want   string
	}{
		{
			"an unknown RuntimeClass", pod(m{"runtimeClassName": "kata-vm-isolation"}, silentImage),
			"the RuntimeClass kata-vm-isolation may be for Windows",
		},
		{
			"a RuntimeClass that selects nothing", pod(m{"runtimeClassName": "mine"}, silentImage),
			"the RuntimeClass mine may be for Windows",
		},
		{
			"a secret RuntimeClass", pod(m{"runtimeClassName": tree.Secret{Value: "hidden"}}, silentImage),
			"the RuntimeClass may be for Windows",
		},
		{"no Linux pool", pod(m{"affinity": osAffinity("darwin")}, silentImage), "no Linux pool can run them"},
		{
			"a hint before all others",
			pod(m{"runtimeClassName": "hyperv", "tolerations": []any{m{"key": "windows"}}}, silentImage),
			"Windows is mentioned in tolerations",
		},
		{"images that contradict each other", pod(nil, alpine, core2022), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := options{
				Topology: cluster(platform.WindowsServer2022), AssumeLinux: true,
				Classes: []m{runtimeClass("mine", nil)},
			}
			if got := adopter(o)(tt.object, ""); got.Outcome != mutate.Unknown || got.NotLinux != tt.want {
				t.Errorf("the outcome is %d as %q, want %d as %q", got.Outcome, got.NotLinux, mutate.Unknown, tt.want)
			}
		})
	}
}

func TestTheSelectedPoolIndicatesThePlatform(t *testing.T) {
	t.Parallel()
	adopt := adopter(options{
		Topology:    cluster(platform.WindowsServer2019, platform.WindowsServer2022),
		AssumeLinux: true,
	})
	for _, label := range []string{"agentpool", "kubernetes.azure.com/agentpool"} {
		got := adopt(pod(map[string]any{"nodeSelector": map[string]any{label: "win22"}}, silentImage), "")
		if got.OS != platform.WindowsOS || got.Platform != platform.WindowsServer2022 ||
			got.Source != "the nodes that the pods select" {
			t.Errorf("%s: %s %s by %q", label, got.OS, got.Platform, got.Source)
		}
		if diff := cmp.Diff([]string{"spec tolerations + os Equal windows NoSchedule", "spec os name = windows"},
			written(got.Edits)); diff != "" {
			t.Errorf("%s: edits (-want +got):\n%s", label, diff)
		}
		linux := adopt(pod(map[string]any{"nodeSelector": map[string]any{label: "sys"}}, silentImage), "")
		if linux.OS != platform.LinuxOS || len(linux.Edits) > 0 {
			t.Errorf("%s of Linux: %s with %v", label, linux.OS, written(linux.Edits))
		}
	}
}

// A selector that no node matches would stay when the image is changed.
func TestAReleaseWithoutAPoolIsNotSelected(t *testing.T) {
	t.Parallel()
	adopt := adopter(options{Topology: cluster(platform.WindowsServer2022)})
	got := adopt(pod(map[string]any{"nodeSelector": map[string]any{"kubernetes.io/os": "windows"}}, core2019), "")
	if got.OS != platform.WindowsOS || got.Platform != "" {
		t.Errorf("%s %s", got.OS, got.Platform)
	}
	if diff := cmp.Diff([]string{"spec tolerations + os Equal windows NoSchedule", "spec os name = windows"},
		written(got.Edits)); diff != "" {
		t.Errorf("edits (-want +got):\n%s", diff)
	}
}
