package repository_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// value returns the only document of a text in YAML.
func value(t *testing.T, text string) any {
	t.Helper()
	docs, err := manifests.ReadObjects(strings.NewReader(text), "a file")
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d documents: %v", len(docs), err)
	}
	return docs[0].Value
}

// read returns the repository with these kustomizations, by their directories.
func read(t *testing.T, kustomizations map[string]string) *repository.Repository {
	t.Helper()
	var files []repository.File
	for dir, text := range kustomizations {
		files = append(files, repository.File{
			Path: dir + "/kustomization.yaml", Document: tree.Map(value(t, text)),
		})
	}
	return repository.Read(files)
}

func TestKindsOfDocuments(t *testing.T) {
	t.Parallel()
	const metadata = "metadata: {name: a}, "
	empty := repository.Read(nil)
	for name, tt := range map[string]struct {
		file, text string
		want       repository.Kind
	}{
		"an object": {"a.yaml", "{apiVersion: v1, kind: ConfigMap}", repository.Manifest},
		"a custom resource": {"a.yaml", "{apiVersion: a.example.com/v1, kind: A, sops: {a: " +
			"b}}", repository.Custom},
		"a custom resource with pods": {"a.yaml", "{apiVersion: argoproj.io/v1alpha1, kind: " +
			"Rollout}", repository.Custom},
		"an object of a group": {"a.yaml", "{apiVersion: networking.k8s.io/v1, kind: " +
			"Ingress}", repository.Manifest},
		"a definition": {"a.yaml", "{apiVersion: apiextensions.k8s.io/v1, kind: " +
			"CustomResourceDefinition}", repository.Definition},
		"a configuration of the kubelet": {
			"a.yaml", "{apiVersion: kubelet.config.k8s.io/v1beta1, kind: KubeletConfiguration}",
			repository.Configuration,
		},
		"an audit policy":    {"a.yaml", "{apiVersion: audit.k8s.io/v1, kind: Policy}", repository.Configuration},
		"a cluster of kind":  {"a.yaml", "{apiVersion: kind.x-k8s.io/v1, kind: Cluster}", repository.Configuration},
		"a file of Skaffold": {"a.yaml", "{apiVersion: skaffold/v4beta13, kind: Config}", repository.Configuration},
		"a file of kubectl":  {"a.yaml", "{apiVersion: v1, kind: Config, clusters: []}", repository.Configuration},
		"a group of the API server": {
			"a.yaml", "{apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: FlowSchema}", repository.Manifest,
		},
		"a cluster of Cluster API": {"a.yaml", "{apiVersion: cluster.x-k8s.io/v1, kind: Cluster}", repository.Custom},
		"a policy of Kyverno": {"a.yaml", "{apiVersion: kyverno.io/v1, kind: " +
			"ClusterPolicy}", repository.Policy},
		"a test of Kyverno": {"a.yaml", "{apiVersion: cli.kyverno.io/v1alpha1, kind: " +
			"Test}", repository.Policy},
		"a constraint": {"a.yaml", "{apiVersion: constraints.gatekeeper.sh/v1beta1, kind: " +
			"A}", repository.Policy},
		"another domain": {"a.yaml", "{apiVersion: notkyverno.io/v1, kind: " +
			"ClusterPolicy}", repository.Custom},
		"an expression": {"a.yaml", "{apiVersion: v1, kind: Pod, spec: {(length(a)): " +
			"2}}", repository.Assertion},
		"a local object": {"a.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {annotations: " +
			"{config.kubernetes.io/local-config: 'true'}}}", repository.Local},
		"a policy of clusters": {"a.yaml", "{apiVersion: policy.open-cluster-management.io/v1, kind: " +
			"Policy}", repository.Policy},
		"a policy of Kubewarden": {"a.yaml", "{apiVersion: policies.kubewarden.io/v1, kind: " +
			"ClusterAdmissionPolicy}", repository.Policy},
		"a test of Chainsaw": {"a.yaml", "{apiVersion: chainsaw.kyverno.io/v1alpha1, kind: " +
			"Test}", repository.Custom},
		"an image without labels": {"a.yaml", "{apiVersion: apps/v1, kind: Deployment, spec: {template: {spec: " +
			"{containers: [{image: a}]}}}}", repository.Patch},
		"pods without a selector": {"a.yaml", "{apiVersion: apps/v1, kind: Deployment, spec: {template: " +
			"{metadata: {labels: {a: b}}, spec: {containers: [{image: a}]}}}}", repository.Manifest},
		"a job without an image": {"a.yaml", "{apiVersion: batch/v1, kind: Job, spec: {template: {spec: " +
			"{containers: [{name: a}]}}}}", repository.Patch},
		"a cron job with an image": {"a.yaml", "{apiVersion: batch/v1, kind: CronJob, spec: {jobTemplate: {spec: " +
			"{template: {spec: {containers: [{image: a}]}}}}}}", repository.Manifest},
		"a cron job without an image": {"a.yaml", "{apiVersion: batch/v1, kind: CronJob, spec: {jobTemplate: {spec: " +
			"{template: {spec: {containers: [{name: a}]}}}}}}", repository.Patch},
		"a pod without containers": {"a.yaml", "{apiVersion: v1, kind: Pod}", repository.Manifest},
		"a pod without an image": {"a.yaml", "{apiVersion: v1, kind: Pod, spec: {containers: [{name: " +
			"a}]}}", repository.Patch},
		"an assertion": {"01-assert.yaml", "{apiVersion: apps/v1, kind: Deployment, spec: {selector: " +
			"{}}}", repository.Assertion},
		"a named assertion": {"a/00-errors-web.yaml", "{apiVersion: v1, kind: Pod}", repository.Assertion},
		"a step":            {"01-assertion.yaml", "{apiVersion: v1, kind: Pod}", repository.Manifest},
		"a sealed secret": {"a.yaml", "{apiVersion: bitnami.com/v1alpha1, kind: " +
			"SealedSecret}", repository.Sealed},
		"a release of Flux": {"a.yaml", "{apiVersion: helm.toolkit.fluxcd.io/v2, kind: " +
			"HelmRelease}", repository.GitOps},
		"an Application": {"a.yaml", "{apiVersion: argoproj.io/v1alpha1, kind: " +
			"Application}", repository.GitOps},
		"a template": {"a.yaml", "{apiVersion: '{{ .version }}', kind: " +
			"Deployment}", repository.Template},
		"a template of a kind": {"a.yaml", "{apiVersion: apps/v1, kind: '${KIND}'}", repository.Template},
		"a kustomization":      {"kustomization.yaml", "{resources: [a.yaml]}", repository.Kustomization},
		"a kustomization by kind": {"a.yaml", "{apiVersion: kustomize.config.k8s.io/v1beta1, kind: " +
			"Kustomization}", repository.Kustomization},
		"a component": {"b.yaml", "{apiVersion: kustomize.config.k8s.io/v1alpha1, kind: " +
			"Component}", repository.Kustomization},
		"a Kustomization of Flux": {
			"kustomization.yaml", "{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: " +
				"Kustomization}", repository.GitOps,
		},
		"a kustomization without apiVersion": {"kustomization.yml", "{kind: Kustomization}", repository.Kustomization},
		"a Secret of SOPS": {
			"a.yaml", "{apiVersion: v1, kind: Secret, sops: {mac: 'ENC[]', lastmodified: now}}", repository.Encrypted,
		},
		"values of SOPS":   {"a.yaml", "{a: 'ENC[]', sops: {mac: 'ENC[]', lastmodified: now}}", repository.Encrypted},
		"a key named sops": {"a.yaml", "{apiVersion: v1, kind: Secret, sops: {mac: a}}", repository.Manifest},
		"a deletion":       {"a.yaml", "{apiVersion: v1, kind: ConfigMap, $patch: delete}", repository.Patch},
		"a directive in a list": {
			"a.yaml", "{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, $patch: replace}]}}", repository.Patch,
		},
		"a directive for a list": {
			"a.yaml", "{apiVersion: v1, kind: Pod, metadata: {$setElementOrder/finalizers: [a]}}", repository.Patch,
		},
		"a part of a Deployment": {
			"a.yaml", "{apiVersion: apps/v1, kind: Deployment, " + metadata + "spec: {replicas: 2}}", repository.Patch,
		},
		"a Deployment without images": {
			"a.yaml", "{apiVersion: apps/v1, kind: Deployment, spec: {selector: {matchLabels: {a: " +
				"b}}}}", repository.Manifest,
		},
		"a Deployment of an earlier group": {"a.yaml", "{apiVersion: extensions/v1beta1, kind: " +
			"Deployment}", repository.Manifest},
		"operations":                {"a.yaml", "[{op: add, path: /a, value: b}]", repository.JSONPatch},
		"a list of other things":    {"a.yaml", "[{op: add}]", repository.Other},
		"a compose file":            {"a.yaml", "{services: {a: {}}}", repository.Compose},
		"a workflow":                {"a.yaml", "{on: push, jobs: {a: {}}}", repository.Workflow},
		"a pipeline of Azure":       {"a.yaml", "{trigger: [main], steps: [{script: a}]}", repository.Workflow},
		"a pipeline of GitLab":      {".gitlab-ci.yml", "{build: {script: [a]}}", repository.Workflow},
		"a named pipeline of Azure": {"ci/azure-pipelines.yml", "{variables: {a: b}}", repository.Workflow},
		"values":                    {"charts/values.yaml", "{a: b}", repository.Values},
		"values of an environment":  {"values-prod.yaml", "{a: b}", repository.Values},
		"another document":          {"a.yaml", "{a: b}", repository.Other},
		"a configuration of a plugin": {
			"a.yaml", "{apiVersion: transformers.kustomize.config.k8s.io/v1, kind: A}", repository.Input,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if kind, by := empty.KindOf(
				tt.file,
				manifests.Document{Value: value(t, tt.text)},
			); kind != tt.want ||
				by != "" {
				t.Errorf("%q by %q, want %q", kind, by, tt.want)
			}
		})
	}
}

// A kustomization says what the files are that it names. It wins over what they look like.
func TestKindsOfFilesOfAKustomization(t *testing.T) {
	t.Parallel()
	r := read(t, map[string]string{"shop/prod": `
resources: [../base, own.yaml, both.yaml]
patches: [{path: patch.yaml}, {patch: "{}"}, {path: both.yaml}]
patchesStrategicMerge: [old.yaml, "kind: Pod\n"]
patchesJson6902: [{path: operations.yaml}]
replacements: [{path: replace.yaml}]
generators: [generators, https://example.com/a.yaml]
transformers: [transform.yaml]
configurations: [names.yaml]
openapi: {path: schema.json}
helmCharts: [{name: a, valuesFile: ../values/a.yaml, additionalValuesFiles: [b.yaml]}]
configMapGenerator: [{name: a, files: [settings.yaml, key=keyed.json], envs: [a.env]}]
secretGenerator: [{name: a, files: [secret.yaml]}]`})
	deployment := value(t, "{apiVersion: apps/v1, kind: Deployment, spec: {selector: {}}}")
	got := map[string]string{}
	for _, file := range []string{
		"prod/own.yaml", "prod/both.yaml", "prod/patch.yaml", "prod/old.yaml", "prod/operations.yaml",
		"prod/replace.yaml", "prod/generators/a.yaml", "prod/transform.yaml", "prod/names.yaml", "prod/schema.json",
		"values/a.yaml", "prod/b.yaml", "prod/settings.yaml", "prod/keyed.json", "prod/secret.yaml",
		"prod/elsewhere.yaml", "base/patch.yaml",
	} {
		kind, by := r.KindOf("shop/"+file, manifests.Document{Value: deployment})
		if by != "" && by != "shop/prod/kustomization.yaml" {
			t.Errorf("%s: by %s", file, by)
		}
		if got[file] = string(kind); (by == "") != (kind == repository.Manifest) {
			t.Errorf("%s: %q by %q", file, kind, by)
		}
	}
	want := map[string]string{
		"prod/own.yaml":          "",
		"prod/both.yaml":         "",
		"prod/elsewhere.yaml":    "",
		"base/patch.yaml":        "",
		"prod/patch.yaml":        "kustomize patch",
		"prod/old.yaml":          "kustomize patch",
		"prod/operations.yaml":   "kustomize patch",
		"prod/replace.yaml":      "input of kustomize",
		"prod/generators/a.yaml": "input of kustomize",
		"prod/transform.yaml":    "input of kustomize",
		"prod/names.yaml":        "input of kustomize",
		"prod/schema.json":       "input of kustomize",
		"prod/settings.yaml":     "input of kustomize",
		"prod/keyed.json":        "input of kustomize",
		"prod/secret.yaml":       "input of kustomize",
		"values/a.yaml":          "Helm values file",
		"prod/b.yaml":            "Helm values file",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// An image is renamed by each kustomization that deploys its file, not by those of other files.
func TestRenamedImages(t *testing.T) {
	t.Parallel()
	r := read(t, map[string]string{
		"base":  "{resources: [a.yaml, ../loop], images: [{name: tools, newName: b}, {name: app}]}",
		"prod":  "{resources: [../base], images: [{name: app, newTag: c}, {name: other}]}",
		"loop":  "{resources: [../base]}",
		"apart": "{resources: [b.yaml], images: [{name: apart}]}",
	})
	for file, want := range map[string][]string{
		"base/a.yaml":  {"?", "?", "?", "shop", "example.com/app"},
		"apart/b.yaml": {"app", "tools:1", "other@sha256:1", "shop", "example.com/app"},
		"base/b.yaml":  {"app", "tools:1", "other@sha256:1", "shop", "example.com/app"},
	} {
		var containers []any
		for _, image := range []string{"app", "tools:1", "other@sha256:1", "shop", "example.com/app"} {
			containers = append(containers, map[string]any{"image": image})
		}
		object := map[string]any{"spec": map[string]any{"template": map[string]any{"initContainers": containers}}}
		var got []string
		renamed := r.Transform(file, object)
		for _, container := range containers {
			text, known := tree.Map(container)["image"].(string)
			if !known {
				text = "?"
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(want, got); diff != "" || renamed != (want[0] == "?") {
			t.Errorf("%s: renamed: %t (-want +got):\n%s", file, renamed, diff)
		}
	}
}

// Labels are added to the pods of each workload that a kustomization deploys.
func TestLabelsOfKustomizations(t *testing.T) {
	t.Parallel()
	r := read(t, map[string]string{
		"base": "{resources: [a.yaml], labels: [{includeTemplates: true, pairs: {app: a}}, {pairs: {own: a}}]}",
		"prod": "{resources: [../base], commonLabels: {tier: a}, labels: [{includeSelectors: true, pairs: {env: a}}]}",
		"test": "{resources: [b.yaml], labels: [{pairs: {own: a}}]}",
	})
	for file, want := range map[string]map[string]any{
		"base/a.yaml": {"app": tree.Unknown{}, "env": tree.Unknown{}, "tier": tree.Unknown{}, "old": "b"},
		"test/b.yaml": {"app": "b", "old": "b"},
	} {
		template := map[string]any{
			"metadata": map[string]any{"labels": map[string]any{"app": "b", "old": "b"}},
			"spec":     map[string]any{"containers": []any{}},
		}
		bare := map[string]any{"spec": map[string]any{"containers": []any{}}}
		other := map[string]any{"spec": map[string]any{"storageClassName": "a"}}
		object := map[string]any{"spec": []any{
			map[string]any{"template": template}, map[string]any{"template": bare}, map[string]any{"template": other},
		}}
		transformed := r.Transform(file, object)
		if diff := cmp.Diff(
			want,
			tree.At(template, "metadata", "labels"),
		); diff != "" ||
			transformed != (want["env"] != nil) {
			t.Errorf("%s: transformed: %t (-want +got):\n%s", file, transformed, diff)
		}
		if got := tree.Map(
			tree.At(bare, "metadata", "labels"),
		); transformed != (len(got) == 3) ||
			other["metadata"] != nil {
			t.Errorf("%s: a template without labels has %v, one without pods %v", file, got, other)
		}
	}
}
