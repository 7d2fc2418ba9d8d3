package pods_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

func marked(value any) map[string]any {
	return map[string]any{"metadata": map[string]any{"annotations": map[string]any{"mixedkube.dev/placed": value}}}
}

func TestMarksAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]pods.Placed{
		"release=windows-2022 nodeSelector=kubernetes.io/arch,kubernetes.io/os,node.kubernetes.io/windows-build " +
			"tolerations=os=windows:NoSchedule,gpu:NoExecute os=windows": {
			Release: platform.WindowsServer2022,
			Labels:  []string{"kubernetes.io/arch", "kubernetes.io/os", "node.kubernetes.io/windows-build"},
			Taints:  []string{"os=windows:NoSchedule", "gpu:NoExecute"}, OS: "windows",
		},
		"nodeSelector=kubernetes.io/os builds=10.0.20348,10.0.26100": {
			Labels: []string{"kubernetes.io/os"}, Builds: []string{"10.0.20348", "10.0.26100"},
		},
		"release=windows-2025 runtimeClassName=windows-2025": {
			Release: platform.WindowsServer2025, Class: "windows-2025",
		},
		"nodeSelector=kubernetes.io/os empty=metadata.annotations,affinity.nodeAffinity": {
			Labels: []string{"kubernetes.io/os"}, Containers: []string{"metadata.annotations", "affinity.nodeAffinity"},
		},
	} {
		got, ok := pods.ReadPlaced(marked(text))
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("ReadPlaced(%q) = %t (-want +got):\n%s", text, ok, diff)
		}
		if want.String() != text {
			t.Errorf("String() = %q, want %q", want.String(), text)
		}
	}
}

// Nothing is taken back because of a mark that mixedkube does not write.
func TestMarksOfPeopleAreNotRead(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]any{
		"no text": true, "empty": "", "words": "by hand", "only a release": "release=windows-2022",
		"a label of people":   "nodeSelector=disktype",
		"a field of people":   "nodeSelector=kubernetes.io/os priority=high",
		"another class":       "runtimeClassName=gvisor",
		"another system":      "nodeSelector=kubernetes.io/os os=linux",
		"no build":            "nodeSelector=kubernetes.io/os builds=10.0",
		"no taint":            "tolerations=os",
		"no release":          "release=linux nodeSelector=kubernetes.io/os",
		"another order":       "nodeSelector=kubernetes.io/os release=windows-2022",
		"another map":         "nodeSelector=kubernetes.io/os empty=volumes",
		"only what was empty": "empty=nodeSelector",
		"spaces":              "release=windows-2022  nodeSelector=kubernetes.io/os",
	} {
		if got, ok := pods.ReadPlaced(marked(value)); ok {
			t.Errorf("%s: %v is read as %+v", name, value, got)
		}
	}
}

func TestEmptyAbove(t *testing.T) {
	t.Parallel()
	object := map[string]any{
		"metadata": map[string]any{"annotations": nil},
		"spec": map[string]any{
			"nodeSelector": map[string]any{}, "tolerations": []any{}, "volumes": []any{}, "os": "linux",
			"affinity": map[string]any{"nodeAffinity": map[string]any{}, "podAffinity": map[string]any{}},
		},
	}
	for path, want := range map[string]string{
		"metadata annotations mixedkube.dev/placed": "metadata.annotations",
		"spec nodeSelector kubernetes.io/os":        "nodeSelector",
		"spec tolerations":                          "tolerations",
		"spec affinity nodeAffinity requiredDuringSchedulingIgnoredDuringExecution nodeSelectorTerms": "affinity." +
			"nodeAffinity",
		"spec volumes":          "", // mixedkube adds nothing there
		"spec os name":          "",
		"spec runtimeClassName": "",
	} {
		keys := strings.Fields(path)
		got := pods.EmptyAbove(object, []string{"spec"}, keys)
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		if back := pods.PathOf(got, []string{"spec"}); got != "" && !slices.Equal(back, keys[:len(back)]) {
			t.Errorf("%s: the path is %q", path, back)
		}
	}
	without := map[string]any{"metadata": map[string]any{}}
	if got := pods.EmptyAbove(without, []string{"spec"}, []string{"metadata", "annotations", "a"}); got != "metadata" {
		t.Errorf("empty metadata: %q", got)
	}
}
