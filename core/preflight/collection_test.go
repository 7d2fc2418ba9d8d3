package preflight_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// acrossOf returns the findings of all objects at once. Gists that are stored, and used only if others concern the
// object, must give the same findings: the command works like that.
func acrossOf(t *testing.T, options preflight.Options, objects []map[string]any) map[int][]preflight.Finding {
	t.Helper()
	checker := preflight.New(options)
	want := checker.Across(objects)
	alone := checker.Collect(nil)
	read, gists := make([]*pods.Object, len(objects)), make([]*preflight.Gist, len(objects))
	got := map[int][]preflight.Finding{}
	set := func(i int, findings []preflight.Finding) {
		delete(got, i)
		if len(findings) > 0 {
			got[i] = findings
		}
	}
	for i, object := range objects {
		read[i] = pods.ReadObject(object)
		gists[i] = checker.Gist(read[i])
		set(i, alone.Findings(read[i], gists[i]))
		if !marked(object) {
			gists[i].Compact()
		}
	}
	all := checker.Collect(gists)
	for _, withPods := range [...]bool{true, false} {
		for i := range objects {
			if gists[i].HasPods() == withPods && all.Concerns(gists[i]) {
				set(i, all.Findings(read[i], gists[i]))
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is kept says something else (-all at once +kept):\n%s", diff)
	}
	return want
}

// marked reports whether a value contains an unknown or a secret one.
func marked(v any) bool {
	switch v := v.(type) {
	case preflight.Unknown, preflight.Secret:
		return true
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), marked)
	case []any:
		return slices.ContainsFunc(v, marked)
	}
	return false
}

// Services with the same selector in two namespaces with many workloads: all labels count, and only the pods of the
// Service's own namespace. In the other namespace, each pod has one of the two
// labels.
func TestServicesInNamespacesWithManyWorkloads(t *testing.T) {
	t.Parallel()
	const win = "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}"
	const selector = "selector: {app: shop, tier: web}"
	var all strings.Builder
	for i := range 20 {
		web := strings.Replace(deploy("web-"+strconv.Itoa(i), win), "spec:\n", "spec:\n  replicas: 120\n", 1)
		all.WriteString(web)
		label, another := "app: shop", "app: bank"
		if i%2 == 0 {
			label, another = "tier: web", "tier: api"
		}
		all.WriteString(strings.NewReplacer("namespace: shop", "namespace: other", label, another).Replace(web))
	}
	all.WriteString(service(selector))
	all.WriteString(strings.Replace(service(selector), "namespace: shop", "namespace: other", 1))
	found := acrossOf(t, v136, fromYAML(t, all.String()))
	var got []string
	for i := range 42 {
		for _, line := range texts(found[i]) {
			got = append(got, strconv.Itoa(i)+" "+line)
		}
	}
	diffFindings(t, []string{"40 warning spec.selector: … (MK603)"}, got)
}

// A class with an unknown name may be the one that pods name, and KEDA scales like an autoscaler of Kubernetes.
func TestIncompleteObjectsAreConsidered(t *testing.T) {
	t.Parallel()
	const win = "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}, runtimeClassName: iis"
	anonymous := strings.Replace(iisClass, "name: iis", "generateName: iis-", 1)
	const budget = "kind: PodDisruptionBudget\nmetadata: {name: shop, namespace: shop}\nspec: {minAvailable: 1, " +
		"selector: {matchLabels: {app: shop}}}\n---\n"
	const scaled = "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: shop, namespace: shop}\n" +
		"spec: {scaleTargetRef: {name: shop}}\n---\n"
	for _, tt := range []struct {
		name, objects, rule string
		want                bool
	}{
		{"no class", deploy("shop", win), "MK401", true},
		{"a class without a name", anonymous + deploy("shop", win), "MK401", false},
		{"a budget", budget + deploy("shop", win), "MK571", true},
		{"a budget, and KEDA", budget + deploy("shop", win) + scaled, "MK571", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			has := false
			for _, findings := range acrossOf(t, v136, fromYAML(t, tt.objects)) {
				has = has || strings.Contains(strings.Join(texts(findings), "\n"), "("+tt.rule+")")
			}
			if has != tt.want {
				t.Errorf("%s is found: %t, want %t", tt.rule, has, tt.want)
			}
		})
	}
}

// Pods whose class says what they are for, pods with several classes, and pods of which a part is a guess.
func TestRequirementsOfPodsOnOtherObjects(t *testing.T) {
	t.Parallel()
	runAcrossCases(t, []acrossCase{
		{
			name: "the class alone says what the pods of a Service are for",
			objects: service("selector: {app: shop}, externalTrafficPolicy: Local") +
				deploy("shop", "runtimeClassName: iis") + iisClass,
			want: []string{"0 warning spec.externalTrafficPolicy: … (MK601)"},
		},
		{
			name: "two runners with a class each",
			objects: `
apiVersion: v1
kind: ConfigMap
metadata: {name: runner}
data:
  config.toml: |
    [[runners]]
      [runners.kubernetes]
        runtime_class_name = "sql"
        [runners.kubernetes.node_selector]
          "kubernetes.io/os" = "windows"
    [[runners]]
      [runners.kubernetes]
        runtime_class_name = "iis"
        [runners.kubernetes.node_selector]
          "kubernetes.io/os" = "windows"
---` + iisClass,
			want: []string{"0 warning data[config.toml].runners[0].kubernetes.runtime_class_name: … (MK401)"},
		},
		{
			name: "an image for Windows, and one for Linux by its tag alone",
			objects: "kind: Namespace\nmetadata: {name: shop, labels: {pod-security.kubernetes.io/enforce: " +
				"baseline}}\n---" + deploy("shop", "hostNetwork: true, initContainers: [{name: a, image: "+
				"'shop.example.com/a:1.0-alpine'}, {name: b, image: 'mcr.microsoft.com/windows/nanoserver:ltsc2022'}]"),
			want: []string{"1 error spec.template.spec.hostNetwork: … (MK409)"},
		},
	})
}
