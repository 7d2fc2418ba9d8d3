package layouts

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// TestEachLayoutHasTheWorkload reads each kind in each layout.
func TestEachLayoutHasTheWorkload(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	for _, layout := range All() {
		for _, kind := range Kinds() {
			w := Workload{Kind: kind, Name: "shop", Image: "example.com/shop:1"}
			text, err := layout.Write(w)
			if err != nil {
				t.Fatal(err)
			}
			if other := texts[text]; other != "" {
				t.Errorf("%s writes a %s as %s does", layout.Name, kind, other)
			}
			texts[text] = layout.Name
			documents, err := manifests.ReadYAML(strings.NewReader(text), layout.File(w))
			if err != nil {
				t.Errorf("%s writes a %s that cannot be read: %v\n%s", layout.Name, kind, err, text)
				continue
			}
			var got []Workload
			for _, document := range documents {
				if object := pods.ReadObject(tree.Map(document.Value)); object.Pods != nil {
					name, _ := tree.Text(tree.Map(tree.Map(document.Value)["metadata"])["name"])
					container := tree.Map(tree.List(object.Pods.Spec["containers"])[0])
					image, _ := tree.Text(container["image"])
					got = append(got, Workload{pods.KindOf(tree.Map(document.Value)), name, image})
				}
			}
			if diff := cmp.Diff([]Workload{w}, got); diff != "" {
				t.Errorf("%s of a %s (-want +got):\n%s\n%s", layout.Name, kind, diff, text)
			}
		}
	}
	if len(texts) != len(All())*len(Kinds()) {
		t.Errorf("%d texts", len(texts))
	}
}

func TestNamesOfFiles(t *testing.T) {
	t.Parallel()
	var got []string
	for _, layout := range All() {
		got = append(got, layout.File(Workload{Name: "shop"}))
	}
	if slices.Sort(got); len(slices.Compact(got)) != len(All()) {
		t.Errorf("layouts share the name of a file: %v", got)
	}
	for _, name := range []string{"shop-json.json", "shop-block.yaml"} {
		if !slices.Contains(got, name) {
			t.Errorf("no file is called %s: %v", name, got)
		}
	}
}

func TestAnotherKindIsRefused(t *testing.T) {
	t.Parallel()
	_, err := All()[0].Write(Workload{Kind: "Service"})
	want := `"Service" is not one of the kinds Pod, Deployment, StatefulSet, DaemonSet, ReplicaSet, ` +
		`ReplicationController, Job, CronJob`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
