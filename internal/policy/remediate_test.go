package policy

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	property "github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// podsOf returns the pods of the resource that was registered last.
func (e *engineOf) podsOf(keys ...string) map[string]any {
	e.t.Helper()
	req := e.resources[len(e.resources)-1]
	return tree.Map(tree.At(properties(req.GetProperties()), keys...))
}

func TestPodsAreLedToNodes(t *testing.T) {
	t.Parallel()
	job := strings.Replace(webOfImage, "apps/v1, kind: Deployment", "batch/v1, kind: Job", 1)
	job = strings.Replace(job, "selector: {matchLabels: {app: web}}, ", "", 1)
	linux := strings.Replace(webOfImage, "mcr.microsoft.com/windows/servercore:ltsc2022", "shop.example/a", 1)
	hidden := strings.Replace(webOfImage, "spec: {containers", "spec: {nodeSelector: '$unknown', containers", 1)
	secret := strings.Replace(webOfImage, "spec: {containers", "spec: {nodeSelector: {a: '$secret-b'}, containers", 1)
	windows := map[string]any{
		"kubernetes.io/arch": "amd64", "kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348",
	}
	withSecret := map[string]any{"a": tree.Secret{Value: "b"}}
	maps.Copy(withSecret, windows)
	const landing = "info : where the pods can land:\n  web → "
	for name, tt := range map[string]struct {
		place, object string
		selector      any
		messages      string
	}{
		"a Deployment": {
			`{"enforcementLevel": "remediate"}`, webOfImage, windows,
			landing + "win22 (2 nodes)\nPlace completes 1 of 1 workloads\n" +
				"  1 Deployment: changes only where the preview shows an update",
		},
		"where it is not wanted": {`"mandatory"`, webOfImage, nil, landing + "nowhere"},
		"a Job stays as it is": {
			`"remediate"`, job, nil, landing + "nowhere\nPlace completes 0 of 1 workloads",
		},
		"a Job that may be replaced": {
			`{"enforcementLevel": "remediate", "replace": true}`, job, windows, landing + "win22 (2 nodes)\nPlace " +
				"completes 1 of 1 workloads\n  1 Job: replaced only where the preview shows it",
		},
		"an image that indicates nothing": {
			`"remediate"`, linux, nil,
			landing + "linux (1 node), not placed: the images do not indicate their operating system\n" +
				"Place completes 0 of 1 workloads\n  1 workload without a known operating system: set assumeLinux, " +
				"the " +
				"annotation mixedkube.dev/platform, or look up the images with mixedkube images lock",
		},
		"an image that is assumed to be for Linux": {
			`{"enforcementLevel": "remediate", "assumeLinux": true}`, linux,
			map[string]any{"kubernetes.io/os": "linux"},
			landing + "linux (1 node), assumed to be for Linux: the images do not indicate it\nPlace completes 1 of " +
				"1 workloads\n  1 Deployment: changes only where the preview shows an update",
		},
		"another object": {
			`{"enforcementLevel": "remediate", "only": [{"resources": ["shop"]}]}`, webOfImage, nil,
			landing + "nowhere\nPlace completes 0 of 1 workloads",
		},
		"a node selector that is not known": {`"remediate"`, hidden, tree.Unknown{}, ""},
		"a node selector with a secret":     {`"remediate"`, secret, withSecret, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t, true, "{"+pools+`, "place": `+tt.place+"}")
			e.register("web", tt.object)
			got := e.podsOf("spec", "template", "spec")["nodeSelector"]
			if diff := cmp.Diff(tt.selector, got); diff != "" {
				t.Errorf("the node selector (-want +got):\n%s", diff)
			}
			e.end()
			if messages := strings.Join(e.shown.take(), "\n"); tt.messages != "" && messages != tt.messages {
				t.Errorf("messages %q, want %q", messages, tt.messages)
			}
		})
	}
}

// A selector that an earlier version wrote moves if that is enabled, and a marked one anyway.
func TestPinsMoveWithTheTopology(t *testing.T) {
	t.Parallel()
	const moved = `"cluster": {"topology": {"matching": "relaxed", "pools": [{"name": "linux", "platform": "linux"}, ` +
		`{"name": "win25", "platform": "windows-2025"}]}}`
	pinned := strings.Replace(webOfImage, "spec: {containers", "spec: {nodeSelector: {kubernetes.io/os: windows, "+
		"kubernetes.io/arch: amd64, node.kubernetes.io/windows-build: 10.0.20348}, containers", 1)
	marked := strings.Replace(pinned, "metadata: {", "metadata: {annotations: {mixedkube.dev/placed: "+
		`"release=windows-2022 nodeSelector=kubernetes.io/arch,kubernetes.io/os,node.kubernetes.io/windows-build"}, `,
		1)
	if pinned == webOfImage || marked == pinned {
		t.Fatal("the object has another form")
	}
	windows := map[string]any{"kubernetes.io/os": "windows"}
	before := map[string]any{
		"kubernetes.io/arch": "amd64", "kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348",
	}
	for name, tt := range map[string]struct {
		place, object string
		selector      map[string]any
	}{
		"a marked one":       {`{"enforcementLevel": "remediate"}`, marked, windows},
		"one without a mark": {`{"enforcementLevel": "remediate"}`, pinned, before},
		"enabled":            {`{"enforcementLevel": "remediate", "movePins": true}`, pinned, windows},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t, false, "{"+moved+`, "place": `+tt.place+"}")
			violations := e.register("web", tt.object)
			named := strings.Contains(strings.Join(violations, "\n"), "move it with MovePins")
			if want := cmp.Equal(tt.selector, before); named != want {
				t.Errorf("names movePins: %t, want %t: %q", named, want, violations)
			}
			if diff := cmp.Diff(tt.selector, e.podsOf("spec", "template", "spec")["nodeSelector"]); diff != "" {
				t.Errorf("the node selector (-want +got):\n%s", diff)
			}
		})
	}
}

// In a preview, an object with errors is hidden from the API server, and all its findings are reported.
func TestPreviewsContinueAfterErrors(t *testing.T) {
	t.Parallel()
	suppressed := strings.Replace(fsGroup, "{name: a}, spec", ignoring, 1)
	for name, tt := range map[string]struct {
		preview        bool
		config, object string
		found, hidden  bool
	}{
		"an error":                   {true, "{}", fsGroup, true, true},
		"an error in an update":      {false, "{}", fsGroup, true, false},
		"a warning":                  {true, `{"MK118": "advisory"}`, fsGroup, true, false},
		"what the object suppresses": {true, "{}", suppressed, false, false},
		"what is ignored":            {true, `{"MK118": {"ignore": [{"resources": ["a"]}]}}`, fsGroup, false, false},
		"where it is not wanted":     {true, `{"preview": "disabled"}`, fsGroup, true, false},
		"nothing":                    {true, "{}", webOfImage, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t, tt.preview, tt.config)
			found := e.register("a", tt.object)
			if got := len(found) == 1 && golden.Contains(found[0], fsGroupFound); got != tt.found {
				t.Errorf("found %q", found)
			}
			metadata := e.last()["metadata"].ObjectValue()
			if hidden := metadata["annotations"].IsComputed(); hidden != tt.hidden {
				t.Errorf("the annotations are %v", metadata["annotations"])
			}
			if !metadata["name"].IsString() {
				t.Errorf("the name has become %v", metadata["name"])
			}
		})
	}
}

func TestAutonamesAreNotShown(t *testing.T) {
	t.Parallel()
	e := start(t, true, "{"+pools+"}")
	named := strings.Replace(webOfImage, "metadata: {name: web}",
		`metadata: {name: web-3f2a, annotations: {pulumi.com/autonamed: "true"}}`, 1)
	e.register("web", named)
	e.end()
	want := []string{"info : where the pods can land:\n  web → nowhere"}
	if diff := cmp.Diff(want, e.shown.take()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if name := e.last()["metadata"].ObjectValue()["name"]; !name.DeepEquals(property.NewProperty("web-3f2a")) {
		t.Errorf("the name has become %v", name)
	}
}

func TestASecretIsNotShown(t *testing.T) {
	t.Parallel()
	e := start(t, true, "{"+pools+"}")
	text := "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {os: {name: '$secret-Wind0ws'}, " +
		"nodeSelector: {kubernetes.io/os: '$secret-Wind0ws'}, " +
		"containers: [{name: a, image: '$secret-s3cret/Wind0ws'}]}}"
	found := e.register("a", text)
	all := strings.Join(append(append(found, e.end()...), e.shown.take()...), "\n")
	if !strings.Contains(all, "(MK102)") {
		t.Errorf("nothing is found: %s", all)
	}
	if strings.Contains(all, "Wind0ws") {
		t.Errorf("a secret is shown: %s", all)
	}
}
