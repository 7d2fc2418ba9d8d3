package completion_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/completion"
)

func TestWhatSpeaksOfWindowsIsNotTakenForLinux(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	adopter := completion.NewAdopter(completion.Options{Topology: cluster(platform.WindowsServer2019, platform.WindowsServer2022), AssumeLinux: true})
	withCommand := func(key string, command ...any) m {
		object := pod(nil, silentImage)
		object["spec"].(m)["containers"].([]any)[0].(m)[key] = command
		return object
	}
	volume := func(path string) m {
		return pod(m{"volumes": []any{m{"name": "data", "hostPath": m{"path": path}}}}, silentImage)
	}
	for name, tt := range map[string]struct {
		object m
		taken  bool
	}{
		"a toleration of the default taint": {pod(m{"tolerations": []any{m{"key": "os", "value": "windows", "effect": "NoSchedule"}}}, silentImage), false},
		"a toleration of another taint":     {pod(m{"tolerations": []any{m{"key": "gpu", "operator": "Exists"}}}, silentImage), true},
		"a label of a cloud":                {pod(m{"nodeSelector": m{"kubernetes.azure.com/os-sku": "Windows2022"}}, silentImage), false},
		"a RuntimeClass that nobody knows":  {pod(m{"runtimeClassName": "hyperv"}, silentImage), false},
		"a folder on a drive":               {volume(`C:\data`), false},
		"a named pipe":                      {volume(`\\.\pipe\docker_engine`), false},
		"a folder of Linux":                 {volume("/var/lib/data"), true},
		"PowerShell":                        {withCommand("command", "powershell", "-Command", "ls"), false},
		"a program":                         {withCommand("args", `/k/Server.EXE`), false},
		"a program on a drive":              {withCommand("command", "c:/k/server"), false},
		"a shell of Linux":                  {withCommand("command", "sh", "-c", "run.exe"), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := completion.Unsaid
			if tt.taken {
				want = completion.TakenForLinux
			}
			if got := adopter.Adopt(tt.object, ""); got.Outcome != want || (len(got.Edits) > 0) != tt.taken {
				t.Errorf("the outcome is %d with the edits %v, want %d", got.Outcome, written(got.Edits), want)
			}
		})
	}
}

func TestThePoolThatIsSelectedSaysWhatPodsAreFor(t *testing.T) {
	t.Parallel()
	adopter := completion.NewAdopter(completion.Options{Topology: cluster(platform.WindowsServer2019, platform.WindowsServer2022), AssumeLinux: true})
	for _, label := range []string{"agentpool", "kubernetes.azure.com/agentpool"} {
		got := adopter.Adopt(pod(map[string]any{"nodeSelector": map[string]any{label: "win22"}}, silentImage), "")
		if got.OS != platform.WindowsOS || got.Release != platform.WindowsServer2022 || got.Source != completion.BySelection {
			t.Errorf("%s: %s %s by %q", label, got.OS, got.Release, got.Source)
		}
		if diff := cmp.Diff([]string{"spec tolerations + os Equal windows NoSchedule"}, written(got.Edits)); diff != "" {
			t.Errorf("%s: edits (-want +got):\n%s", label, diff)
		}
		linux := adopter.Adopt(pod(map[string]any{"nodeSelector": map[string]any{label: "sys"}}, silentImage), "")
		if linux.OS != platform.LinuxOS || len(linux.Edits) > 0 {
			t.Errorf("%s of Linux: %s with %v", label, linux.OS, written(linux.Edits))
		}
	}
}

// A selector that no node has would stay behind when the image is changed.
func TestAReleaseWithoutAPoolIsNotSelected(t *testing.T) {
	t.Parallel()
	adopter := completion.NewAdopter(completion.Options{Topology: cluster(platform.WindowsServer2022)})
	got := adopter.Adopt(pod(map[string]any{"nodeSelector": map[string]any{"kubernetes.io/os": "windows"}}, core2019), "")
	if got.OS != platform.WindowsOS || got.Release != platform.WindowsServer2019 {
		t.Errorf("%s %s", got.OS, got.Release)
	}
	if diff := cmp.Diff([]string{"spec tolerations + os Equal windows NoSchedule"}, written(got.Edits)); diff != "" {
		t.Errorf("edits (-want +got):\n%s", diff)
	}
}
