package preflight_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/core/value/treetest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// v136 are options with which fields that 1.36 refuses are errors.
var v136 = preflight.Options{KubernetesVersion: "1.36"}

// orWindows ends fixes of Linux pods with something for Windows.
const orWindows = ", or run the pods on Windows nodes"

// object reads a YAML document with the marks of [treetest.Marked].
func object(t *testing.T, text string) map[string]any {
	t.Helper()
	docs, err := manifests.ReadYAML(strings.NewReader(text), "object")
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) != 1 {
		t.Fatalf("%d objects in:\n%s", len(docs), text)
	}
	return tree.Map(treetest.Marked(docs[0].Value))
}

// inPod returns a pod for an operating system with one container. Both texts are YAML in flow style and are added to
// the spec and to the container.
func inPod(os, spec, container string) string {
	if os != "" {
		os = "os: {name: " + os + "}"
	}
	selector := "nodeSelector: {kubernetes.io/os: " + selected(os) + "}"
	containers := "containers: [{" + flow("name: shop, image: shop.example.com/shop", container) + "}]"
	return "{apiVersion: v1, kind: Pod, metadata: {name: shop}, spec: {" + flow(os, selector, spec, containers) + "}}"
}

// withImage returns a Windows pod of [inPod] whose container has another image.
func withImage(image, spec, container string) string {
	return strings.Replace(inPod("windows", spec, container), "shop.example.com/shop", image, 1)
}

// flow joins the parts of a mapping that are not empty.
func flow(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

func selected(os string) string {
	if strings.Contains(os, "linux") {
		return "linux"
	}
	return "windows"
}

// wantFindings compares the findings of the given rules (prefixes of IDs), as [diffFindings] does, and ignores those of
// other rules.
func wantFindings(t *testing.T, object map[string]any, options preflight.Options, prefixes string, want ...string) {
	t.Helper()
	var got []string
	for _, f := range preflight.Check(object, options) {
		for prefix := range strings.SplitSeq(prefixes, ",") {
			if strings.HasPrefix(f.Rule, prefix) {
				got = append(got, f.String())
				break
			}
		}
	}
	diffFindings(t, want, got)
}

// diffFindings compares texts of findings. A wanted one may leave out the sentence, which another case has: see
// [golden.AnySentence].
func diffFindings(t *testing.T, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got, golden.AnySentence); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}
