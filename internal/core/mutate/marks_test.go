package mutate_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// wholeSelector returns the node selector of versions without marks.
func wholeSelector() map[string]any {
	return map[string]any{
		"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64", "node.kubernetes.io/windows-build": "10.0.20348",
	}
}

// with gives an object a mark.
func with(object map[string]any, mark string) map[string]any {
	object["metadata"] = map[string]any{"name": "web", "annotations": map[string]any{pods.PlacedAnnotation: mark}}
	return object
}

// mixedkube has never written the selectors of a Workflow's templates, and that of its spec is for all of them.
func TestSelectorsOfTemplatesDoNotMove(t *testing.T) {
	t.Parallel()
	in := cluster(platform.WindowsServer2022)
	in.Matching = platform.Relaxed
	object := named(workflow("Workflow",
		map[string]any{"nodeSelector": map[string]any{"kubernetes.io/os": "linux", "kubernetes.io/arch": "arm64"}},
		map[string]any{
			"nodeSelector": wholeSelector(), "container": map[string]any{"image": core2022},
			"tolerations": []any{map[string]any{
				"key": "os", "operator": "Equal", "value": "windows", "effect": "NoSchedule",
			}},
		},
		map[string]any{"container": map[string]any{"image": "registry.k8s.io/pause-linux-arm64:3.9"}}))
	if _, d := adopted(in, object, mutate.Policy{MovePins: true}); len(d.Edits) > 0 {
		t.Errorf("changes %v", editTexts(d.Edits))
	}
}

// Only pods for Windows have a mark: it remains when the image no longer shows for which system it is.
func TestAMarkWithoutAReleaseIsForWindows(t *testing.T) {
	t.Parallel()
	in := cluster(platform.WindowsServer2022, platform.WindowsServer2025)
	in.Matching = platform.Relaxed
	placed, _ := adopted(in, named(pod(nil, windowsSomehow)), mutate.Policy{})
	renamed := pod(nil, silentImage)
	spec := placed["spec"].(map[string]any)
	spec["containers"] = renamed["spec"].(map[string]any)["containers"]
	if _, d := adopted(in, placed, mutate.Policy{AssumeLinux: true}); len(d.Edits) > 0 || d.OS != platform.WindowsOS {
		t.Errorf("for %q, changes %v", d.OS, editTexts(d.Edits))
	}
}

// An earlier version wrote the selector, and this one a toleration with a mark.
func TestAnEarlierSelectorWithAMarkMoves(t *testing.T) {
	t.Parallel()
	in := cluster(platform.WindowsServer2025)
	in.Matching = platform.Relaxed
	object := with(pod(map[string]any{
		"nodeSelector": wholeSelector(), "os": map[string]any{"name": "windows"},
		"tolerations": []any{map[string]any{
			"key": "os", "operator": "Equal", "value": "windows", "effect": "NoSchedule",
		}},
	}, core2022), "release=windows-2022 tolerations=os=windows:NoSchedule")
	unchanged, d := adopted(in, object, mutate.Policy{})
	if d.Pin == nil || !d.Pin.Earlier || len(landing(in, unchanged)) > 0 {
		t.Errorf("the question is %v, and the pods land on %v", d.Pin, landing(in, unchanged))
	}
	moved, _ := adopted(in, object, mutate.Policy{MovePins: true})
	if got := landing(in, moved); !slices.Equal(got, []string{"win25"}) {
		t.Errorf("lands on %v: %v", got, moved["spec"])
	}
}

// A later version may have written a mark that cannot be read: its fields are not those of an earlier version.
func TestFieldsWithAnUnreadableMarkDoNotMove(t *testing.T) {
	t.Parallel()
	in := cluster(platform.WindowsServer2025)
	in.Matching = platform.Relaxed
	object := with(pod(map[string]any{
		"nodeSelector": wholeSelector(), "os": map[string]any{"name": "windows"},
		"tolerations": []any{map[string]any{
			"key": "os", "operator": "Equal", "value": "windows", "effect": "NoSchedule",
		}},
	}, core2022), "v2 release=windows-2022 nodeSelector=kubernetes.io/arch")
	got, _ := adopted(in, object, mutate.Policy{MovePins: true})
	if diff := cmp.Diff(object, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
