package manifest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

var mixed = topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
	{Name: "linux", Platform: platform.Linux},
	{Name: "win22", Platform: platform.WindowsServer2022},
}}

func group(args *manifest.GroupArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := manifest.NewGroup(ctx, "shop", args, opts...)
		return err
	}
}

func text(s string) *manifest.GroupArgs {
	return &manifest.GroupArgs{YAML: s, Options: manifest.Options{Topology: mixed}}
}

func TestAGroupRegistersEachObject(t *testing.T) {
	t.Parallel()
	program := group(&manifest.GroupArgs{
		Files:   []string{"testdata/shop"},
		Options: manifest.Options{Topology: mixed},
	})
	update, preview := mocktest.MustRun(t, program), mocktest.MustRun(t, program, mocktest.Preview())
	golden.UpdateAndPreview(t, "testdata/shop", update.String(), preview.String())
	for _, graph := range []*mocktest.Graph{update, preview} {
		secret, err := graph.Get("kubernetes:core/v1:Secret", "shop:shop/password")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"stringData"}, secret.Secrets()); diff != "" {
			t.Errorf("secrets (-want +got):\n%s", diff)
		}
	}
}

// Pulumi replaces a Job whose pod template changes, and so runs it again.
func TestExistingJobsOfAGroupDoNotChange(t *testing.T) {
	t.Parallel()
	const pods = "{containers: [{name: a, image: alpine}], restartPolicy: Never}"
	graph := mocktest.MustRun(t, group(text(`apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec: {template: {spec: `+pods+`}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: daily}
spec: {schedule: "@daily", jobTemplate: {spec: {template: {spec: `+pods+`}}}}
`)))
	for name, want := range map[string][]string{
		"kubernetes:batch/v1:Job once":      {"spec.template.spec.nodeSelector", "spec.template.spec.os"},
		"kubernetes:batch/v1:CronJob daily": nil,
	} {
		typ, object, _ := strings.Cut(name, " ")
		r, err := graph.Get(typ, "shop:"+object)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, r.IgnoreChanges); diff != "" {
			t.Errorf("%s ignores changes (-want +got):\n%s", name, diff)
		}
	}
}

// kubectl apply stores the whole object in an annotation.
func TestKubectlsCopyOfASecretIsSecret(t *testing.T) {
	t.Parallel()
	const applied = "kubectl.kubernetes.io/last-applied-configuration"
	object := func(kind string) string {
		return "apiVersion: v1\nkind: " + kind + "\nmetadata: {name: a, annotations: {b: c, " + applied +
			": '{\"data\":{\"password\":\"aHVudGVyMg==\"}}'}}\n"
	}
	graph := mocktest.MustRun(t,
		group(text(object("Secret")+"---\n"+object("ConfigMap")+"---\n"+
			strings.Replace(object("Secret"), "name: a", "name: b, namespace: c", 1)+
			"data: {password: aHVudGVyMg==}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: none}\n")))
	hidden := fmt.Sprintf("metadata.annotations[%q]", applied)
	for _, tt := range []struct {
		kind, name string
		want       []string
	}{
		{"Secret", "shop:a", []string{hidden}},
		{"Secret", "shop:c/b", []string{"data", hidden}},
		{"Secret", "shop:none", nil},
		{"ConfigMap", "shop:a", nil},
	} {
		r, err := graph.Get("kubernetes:core/v1:"+tt.kind, tt.name)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(tt.want, r.Secrets()); diff != "" {
			t.Errorf("secrets of %s %s (-want +got):\n%s", tt.kind, tt.name, diff)
		}
		if tt.name == "shop:a" && r.Plain()["metadata"].(map[string]any)["annotations"].(map[string]any)["b"] != "c" {
			t.Errorf("the other annotation of %s cannot be read: %v", tt.kind, r.Plain())
		}
	}
}

func TestGroupHasItsResources(t *testing.T) {
	t.Parallel()
	mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		g, err := manifest.NewGroup(ctx, "shop",
			&manifest.GroupArgs{Files: []string{"testdata/shop"}, Options: manifest.Options{Topology: mixed}})
		if err != nil {
			return err
		}
		if r := g.Resource("shop/Deployment/web"); r == nil || r.Object.Done != manifest.Completed ||
			r.Object.Platform != platform.Linux {
			t.Errorf("the Deployment is %+v", r)
		}
		if r := g.Resource("Deployment/none"); r != nil {
			t.Errorf("there is %+v", r)
		}
		ctx.Export("name", g.Resource("shop/Service/web").Metadata.Name())
		return nil
	})
}

const unsaid = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers: [{name: web, image: " +
	"shop.example/web}]\n"

const broken = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  os: {name: windows}
  hostPID: true
  containers: [{name: web, image: shop.example/web}]
`

func TestAllMistakesInAGroupAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	const subject = `mixedkube:manifest:Group "shop": `
	for _, tt := range []struct {
		name string
		args *manifest.GroupArgs
		want string
	}{
		{"no arguments", nil, subject + "topology: Required value: manifests are completed for the pools of a cluster"},
		{
			"no files", &manifest.GroupArgs{Options: manifest.Options{Topology: mixed}},
			subject + "files: Required value: name files, directories or addresses, or give yaml",
		},
		{"no objects", text("# nothing\n---\n"), subject + "no Kubernetes object: each needs apiVersion and kind"},
		{
			"documents that are not objects", text(
				"a: b\n---\n" + strings.Replace(broken, "apiVersion: v1\n", "", 1) + "---\n\napiVersion: " +
					"apps/v1\nkind:\n---\napiVersion: 1\nkind: Service\n---\ntext\n---\n# empty\n---\nnull\n",
			),
			`mixedkube:manifest:Group "shop":
  yaml:1: no apiVersion, no kind: this is not a Kubernetes object: write both, or leave it out
  yaml:3: no apiVersion: write the version of the object's API, for example apps/v1
  yaml:12: no kind: write what the object is, for example Deployment
  yaml:14: apiVersion is not a string: write the version of the object's API, for example apps/v1
  yaml:17: no apiVersion, no kind: this is not a Kubernetes object: write both, or leave it out`,
		},
		{
			"lists", text(
				"kind: List\nitems: []\n---\napiVersion: v1\nkind: List\nitems:\n- metadata: {name: a}\n" +
					"- apiVersion: v1\n  metadata: {name: b}\n- kind: Pod\n  metadata: {name: c}\n",
			),
			`mixedkube:manifest:Group "shop":
  yaml:1: no apiVersion: write the version of the object's API, for example apps/v1
  yaml:7: no apiVersion, no kind: this is not a Kubernetes object: write both, or leave it out
  yaml:8: no kind: write what the object is, for example Deployment
  yaml:10: no apiVersion: write the version of the object's API, for example apps/v1`,
		},
		{
			"files", &manifest.GroupArgs{
				Files: []string{
					"testdata/none.yaml", "testdata/*.none", "testdata/[",
					server.URL + "/web.yaml", "testdata/shop/.hidden",
				}, YAML: "a:\n\tb: c\n",
				Options: manifest.Options{Topology: mixed},
			},
			`mixedkube:manifest:Group "shop":
  testdata/none.yaml: no such file or directory
  testdata/*.none: no file matches the pattern
  testdata/[: is not a valid pattern: syntax error in pattern
  ` + server.URL + `/web.yaml: the server answers 404 Not Found
  testdata/shop/.hidden/x.yaml:1: did not find expected node content
  yaml:2: a tab in the indentation: YAML takes spaces only, write spaces in its place`,
		},
		{
			"findings", text(broken + "---\n" + strings.ReplaceAll(broken, "{name: web}", "{name: b}")),
			`mixedkube:manifest:Group "shop":
  yaml:6: Pod/web: spec.hostPID: … (MK111)
  yaml:14: Pod/b: spec.hostPID: … (MK111)`,
		},
		{
			"an answer", &manifest.GroupArgs{
				YAML: unsaid,
				Options: manifest.Options{
					Topology:  mixed,
					Platforms: map[string]platform.Platform{"Pod/wbe": platform.Linux},
				},
			},
			subject + `platforms[Pod/wbe]: Invalid value: "Pod/wbe": no object with pods has this name: did you mean ` +
				`Pod/web?`,
		},
		{
			"names", text(
				"apiVersion: v1\nkind: ConfigMap\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" +
					"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" +
					"---\napiVersion: batch/v1\nkind: Job\nmetadata: {generateName: b-}\n",
			),
			`mixedkube:manifest:Group "shop":
  yaml:1: ConfigMap/: metadata.name: Required value: resources are named by it
  yaml:8: ConfigMap/a: yaml:4 has this object already: remove one of the two
  yaml:12: Job/b-: metadata.name: Required value: resources are named by it`,
		},
		{
			"references", text(
				"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: " +
					"{config.kubernetes.io/depends-on: 'ConfigMap/b,/ConfigMap/c'}}\n",
			),
			`mixedkube:manifest:Group "shop":
  yaml:1: ConfigMap/a: metadata.annotations[config.kubernetes.io/depends-on]: ` +
				`Invalid value: "ConfigMap/b": write group/kind/name or group/namespaces/namespace/kind/name
  yaml:1: ConfigMap/a: metadata.annotations[config.kubernetes.io/depends-on]: ` +
				`Invalid value: "/ConfigMap/c": the group has no such object: add it, or remove the reference`,
		},
		{
			"a circle", text(
				"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {config.kubernetes.io/depends-on: " +
					"/ConfigMap/b}}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, annotations: " +
					"{config.kubernetes.io/depends-on: /ConfigMap/a}}\n",
			),
			subject + "yaml:1: ConfigMap/a: waits for itself: ConfigMap/a → ConfigMap/b → ConfigMap/a: remove one of " +
				"the references",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(group(tt.args))
			golden.Refused(t, graph.Resources(), err, tt.want)
		})
	}
}

func TestEmptyDocumentsAreFine(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t,
		group(
			text(
				"# first\n---\nnull\n---\napiVersion: v1\nkind: List\nitems: []\n---\napiVersion: v1\nkind: "+
					"ConfigMap\nmetadata: {name: a}\n---\n",
			),
		))
	if _, err := graph.Get("kubernetes:core/v1:ConfigMap", "shop:a"); err != nil {
		t.Error(err)
	}
}

func logged(graph *mocktest.Graph) []string {
	var lines []string
	for _, m := range graph.Logs() {
		lines = append(lines, m.Severity+": "+m.Message)
	}
	slices.Sort(lines)
	return lines
}

const question = `yaml:4: Pod/web: spec: nothing indicates whether the pods are for Linux or for Windows, nor do the ` +
	`images (shop.example/web): specify it with the annotation mixedkube.dev/platform: linux or, for example, ` +
	`windows-2022`

func TestQuestionsAreLogged(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, group(text(unsaid)))
	if diff := cmp.Diff([]string{"warning: " + question}, logged(graph)); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}

// The group does not repeat guard's findings about an object.
func TestUnderGuardFindingsAboutObjectsAreNotRepeated(t *testing.T) {
	t.Parallel()
	program := guard.Program(func(ctx *pulumi.Context) error {
		if err := guard.Enforce(ctx, guard.Args{Topology: mixed}); err != nil {
			return err
		}
		return group(text(broken + "---\n" + strings.ReplaceAll(unsaid, "name: web", "name: b")))(ctx)
	})
	graph, err := mocktest.Run(program, mocktest.Preview())
	if err == nil || err.Error() != "mixedkube preflight: 1 error, shown at its resource" {
		t.Errorf("the error is %v", err)
	}
	want := []string{
		"error: spec.hostPID: … (MK111)",
		"info: where the pods can land:\n  b   → linux (1 node)\n  web → win22 (1 node)",
		"warning: " + strings.Replace(question, "yaml:4: Pod/web", "yaml:12: Pod/b", 1),
	}
	if diff := cmp.Diff(want, logged(graph), golden.AnySentence); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}

func TestManifestsAreFetched(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request,
	) {
		fmt.Fprint(w, unsaid)
	}))
	t.Cleanup(server.Close)
	graph := mocktest.MustRun(t,
		group(&manifest.GroupArgs{
			Files:   []string{server.URL + "/web.yaml"},
			Options: manifest.Options{Topology: mixed, AssumeLinux: true},
		}))
	pod, err := graph.Get("kubernetes:core/v1:Pod", "shop:web")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"nodeSelector": map[string]any{"kubernetes.io/os": "linux"}, "os": map[string]any{"name": "linux"},
		"containers": []any{map[string]any{"name": "web", "image": "shop.example/web"}},
	}
	if diff := cmp.Diff(want, pod.Plain()["spec"]); diff != "" {
		t.Errorf("the spec (-want +got):\n%s", diff)
	}
}
