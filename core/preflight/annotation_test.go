package preflight_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

func TestTheAnnotationOfThePlatform(t *testing.T) {
	t.Parallel()
	type answer struct {
		OS      platform.OS
		Release platform.Platform
		Valid   bool
	}
	const (
		ofPod   = "spec.template.metadata.annotations[mixedkube.dev/platform]: "
		ofOwner = "metadata.annotations[mixedkube.dev/platform]: "
	)
	annotated := func(v any) map[string]any {
		if v == nil {
			return nil
		}
		return map[string]any{"annotations": map[string]any{preflight.PlatformAnnotation: v}}
	}
	for _, tt := range []struct {
		name       string
		owner, pod any
		spec       map[string]any
		want       answer
		findings   []string
	}{
		{"none", nil, nil, nil, answer{"", "", true}, nil},
		{"of the object", "windows-2022", nil, nil, answer{platform.WindowsOS, platform.WindowsServer2022, true}, nil},
		{"of the template", nil, "ltsc2019", nil, answer{platform.WindowsOS, platform.WindowsServer2019, true}, nil},
		{"any Windows", "Windows", nil, nil, answer{platform.WindowsOS, "", true}, nil},
		{
			"any Windows, and a release", "windows-2022", "windows", nil,
			answer{platform.WindowsOS, platform.WindowsServer2022, true},
			nil,
		},
		{
			"Linux", nil, "linux",
			map[string]any{"os": map[string]any{"name": "linux"}},
			answer{platform.LinuxOS, "", true},
			nil,
		},
		{"not known yet", preflight.Unknown{}, nil, nil, answer{"", "", true}, nil},
		{
			"a typo", "widows-2022", nil, nil,
			answer{},
			[]string{ofOwner + `"widows-2022": is not a platform: did you mean windows-2022? (MK902)`},
		},
		{
			"nothing like it", nil, "solaris", nil,
			answer{},
			[]string{ofPod + `"solaris": is not a platform: write linux, windows-2022 or another release, or windows ` +
				`for any (MK902)`},
		},
		{
			"a secret typo",
			preflight.Secret{Value: "widows-2022"},
			nil, nil,
			answer{},
			[]string{ofOwner + "[secret]: … (MK902)"},
		},
		{
			"two that differ", "linux", "windows", nil,
			answer{},
			[]string{ofPod + `"windows": contradicts the annotation of the object itself: remove one of the two ` +
				`(MK903)`},
		},
		{"two releases", "windows-2019", "windows-2022", nil, answer{}, []string{ofPod + `"windows-2022": … (MK903)`}},
		{
			"os.name", "linux", nil,
			map[string]any{
				"os":           map[string]any{"name": "windows"},
				"nodeSelector": map[string]any{"kubernetes.io/os": "windows"},
			},
			answer{},
			[]string{ofOwner + `"linux": contradicts os.name windows: remove one of the two (MK903)`},
		},
		{
			"a build", "windows-2019", nil,
			map[string]any{"nodeSelector": map[string]any{
				"kubernetes.io/os":                 "windows",
				"node.kubernetes.io/windows-build": "10.0.20348",
			}},
			answer{},
			[]string{ofOwner + `"windows-2019": contradicts the node selector ` +
				`node.kubernetes.io/windows-build=10.0.20348: remove one of the two (MK903)`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			limited := map[string]any{"limits": map[string]any{"memory": "1Gi"}}
			spec := map[string]any{"containers": []any{map[string]any{
				"name": "a", "image": "shop.example/a",
				"resources": limited,
			}}}
			maps.Copy(spec, tt.spec)
			template := map[string]any{"spec": spec}
			object := map[string]any{
				"apiVersion": "apps/v1", "kind": "Deployment",
				"spec": map[string]any{"template": template},
			}
			if m := annotated(tt.owner); m != nil {
				object["metadata"] = m
			}
			if m := annotated(tt.pod); m != nil {
				template["metadata"] = m
			}
			p, _ := pods.Read(object)
			target := pods.NewContext(topology.Defaulted{}, platform.Strict, nil).Target(p, nil)
			annotation := target.Annotation(p)
			got := answer{annotation.Claim.OS, annotation.Claim.Release, len(annotation.Wrong) == 0}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("annotation (-want +got):\n%s", diff)
			}
			var found []string
			for _, f := range preflight.Check(object, preflight.Options{}) {
				if f.Rule != "MK105" {
					found = append(found, f.String())
				}
			}
			diffFindings(t, tt.findings, found)
		})
	}
}

// A mark is written by mixedkube: one that it cannot read would be without effect, and would not be noticed.
func TestTheMarkOfPlacedPods(t *testing.T) {
	t.Parallel()
	const (
		good = "release=windows-2022 nodeSelector=kubernetes.io/os"
		rest = ": is not a mark that this version of mixedkube can read: the fields that it lists stay when the " +
			"topology changes: restore it, use the version that wrote it, or delete it to keep the fields for " +
			"yourself (MK904)"
		at = "warning metadata.annotations[mixedkube.dev/placed]: "
	)
	for name, tt := range map[string]struct {
		mark any
		kind string
		want []string
	}{
		"a mark": {good, "Pod", nil},
		"none":   {nil, "Pod", nil},
		"of a later version": {
			good + " priority=high", "Pod", []string{at + `"` + good + ` priority=high"` + rest},
		},
		"edited":                  {"by hand", "Deployment", []string{at + `"by hand"` + rest}},
		"empty":                   {"", "Pod", []string{at + `""` + rest}},
		"secret":                  {preflight.Secret{Value: "by hand"}, "Pod", []string{at + "[secret]" + rest}},
		"secret, and a mark":      {preflight.Secret{Value: good}, "Pod", nil},
		"not known yet":           {preflight.Unknown{}, "Pod", nil},
		"of objects without pods": {"by hand", "ConfigMap", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			containers := map[string]any{
				"containers": []any{map[string]any{"name": "a", "image": "shop.example.com/a"}},
			}
			object := map[string]any{"apiVersion": "v1", "kind": tt.kind, "metadata": map[string]any{
				"name": "shop", "annotations": map[string]any{"mixedkube.dev/placed": tt.mark},
			}}
			switch tt.kind {
			case "Pod":
				object["spec"] = containers
			case "Deployment":
				object["apiVersion"] = "apps/v1"
				object["spec"] = map[string]any{"template": map[string]any{"spec": containers}}
			}
			var got []string
			for _, f := range preflight.Check(object, preflight.Options{}) {
				if f.Rule == "MK904" {
					got = append(got, string(f.Severity)+" "+f.String())
				}
			}
			diffFindings(t, tt.want, got)
		})
	}
}
