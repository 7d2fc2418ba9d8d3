package repository_test

import (
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

func TestEnvironments(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		// files are paths, with the names of their objects after a colon.
		files          string
		kustomizations map[string]string
		deploys        []string
		want           string
	}{
		"one directory":            {files: "d/a.yaml:x d/b.yaml:y", want: " "},
		"a name twice in a file":   {files: "d/a.yaml:x,x d/b.yaml:y", want: " "},
		"a name twice in a folder": {files: "d/a.yaml:x d/b.yaml:x", want: " "},
		"directories":              {files: "apps/a.yaml:x data/b.yaml:y", want: " "},
		"directories that repeat a name": {
			files: "ns.yaml:n dev/a.yaml:x prod/a.yaml:x prod/b.yaml:y", want: "dev,prod dev prod prod",
		},
		"a directory beside them": {
			files: "dev/a.yaml:x prod/a.yaml:x test/b.yaml:y common/c.yaml:z", want: "dev prod test dev,prod,test",
		},
		"a name in the directory above": {
			files: "a.yaml:x windows/a.yaml:x windows/b.yaml:y", want: ". windows windows",
		},
		"a base with the same name": {files: "base/a.yaml:x dev/a.yaml:x prod/b.yaml:y", want: "dev,prod dev prod"},
		"the same environments of two directories": {
			files: "apps/dev/a.yaml:x apps/prod/a.yaml:x infra/dev/b.yaml:y infra/prod/b.yaml:y data/c.yaml:z",
			want:  "dev prod dev prod dev,prod",
		},
		"environments of each application": {
			files: "a/dev/a.yaml:x a/prod/a.yaml:x b/dev/a.yaml:x b/prod/a.yaml:x",
			want:  "a/dev a/prod b/dev b/prod",
		},
		"overlays of a base": {
			files: "base/a.yaml:x dev/b.yaml:y prod/b.yaml:z loose.yaml:l",
			kustomizations: map[string]string{
				"base": "{resources: [a.yaml]}", "dev": "{resources: [../base, b.yaml]}",
				"prod": "{bases: [../base], resources: [b.yaml]}",
			},
			want: "dev,prod dev prod ",
		},
		"a component": {
			files: "parts/a.yaml:x dev/b.yaml:y",
			kustomizations: map[string]string{
				"parts": "{kind: Component, resources: [a.yaml]}", "dev": "{components: [../parts], resources: " +
					"[b.yaml]}",
			},
			want: "dev dev",
		},
		"directories of Flux": {
			files:   "clusters/prod/apps.yaml:f apps/prod/a.yaml:x apps/prod/sub/b.yaml:y data/c.yaml:z",
			deploys: []string{"apps/prod", "data"}, want: " apps/prod apps/prod data",
		},
		"directories below a directory of Flux": {
			files: "apps/a/a.yaml:x apps/b/b.yaml:y", deploys: []string{"apps"},
			kustomizations: map[string]string{"apps/a": "{resources: [a.yaml]}"},
			want:           "apps apps",
		},
		"a kustomization in a directory of Flux": {
			files: "apps/base/a.yaml:x apps/prod/b.yaml:y", deploys: []string{"apps/prod"},
			kustomizations: map[string]string{
				"apps/base": "{resources: [a.yaml]}", "apps/prod": "{resources: [../base, b.yaml]}",
			},
			want: "apps/prod apps/prod",
		},
		"a pattern of an ApplicationSet": {
			files: "apps/a/a.yaml:x apps/b/deep/b.yaml:y other/c.yaml:z", deploys: []string{"apps/*"},
			want: "apps/a apps/b ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var files []repository.Content
			for text := range strings.FieldsSeq(tt.files) {
				file, names, _ := strings.Cut(text, ":")
				files = append(
					files,
					repository.Content{Path: path.Join("repo", file), Names: strings.Split(names, ",")},
				)
			}
			for _, dir := range tt.deploys {
				files[0].Deploys = append(files[0].Deploys, repository.Deployed{Dir: path.Join("repo", dir)})
			}
			below := map[string]string{}
			for dir, text := range tt.kustomizations {
				below[path.Join("repo", dir)] = text
			}
			var got []string
			for _, environments := range read(t, below).Environments(files) {
				got = append(got, strings.ReplaceAll(strings.Join(environments, ","), "repo/", ""))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestWhatGitOpsToolsDeploy(t *testing.T) {
	t.Parallel()
	const (
		flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization"
		argo = "apiVersion: argoproj.io/v1alpha1"
		root = "the root of a repository"
	)
	for text, want := range map[string]string{
		"{" + flux + ", spec: {path: ./apps/prod/}}":                                          "apps/prod",
		"{apiVersion: kustomize.config.k8s.io/v1, kind: Kustomization, spec: {path: ./apps}}": "",
		"{" + argo + ", kind: Application, spec: {source: {path: apps}}}":                     "apps",
		"{" + argo + `, kind: Application,
			spec: {sources: [{path: a}, {chart: b, repoURL: https://a.b}, {path: /c}]}}`: "a, the chart b of https://a.b, c",
		`{apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {template: {spec: {source: {path: "{{path}}"}}},
			generators: [{git: {directories: [{path: apps/*}, {path: apps/old, exclude: true}]}}]}}`: "apps/*",
		"{apiVersion: app.k8s.io/v1beta1, kind: Application, spec: {source: {path: apps}}}":    "",
		"{apiVersion: v1, kind: ConfigMap}":                                                    "",
		"{" + flux + ", spec: {path: ./}}":                                                     root,
		"{" + flux + ", spec: {interval: 1m}}":                                                 root,
		"{" + argo + ", kind: Application, spec: {source: {repoURL: https://a.b}}}":            root,
		"{" + argo + ", kind: Application, spec: {sources: [{repoURL: https://a.b, ref: a}]}}": "",
		`{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, spec: {chart: {spec: {chart: podinfo,
			sourceRef: {kind: HelmRepository, name: charts}}}}}`: "the chart podinfo of HelmRepository/charts",
		`{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, spec: {chart: {spec: {chart: ./charts/shop,
			sourceRef: {kind: GitRepository, name: flux-system}}}}}`: "charts/shop",
		`{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease,
			spec: {chartRef: {kind: OCIRepository, name: a}}}`: "the chart OCIRepository/a",
	} {
		var got []string
		for _, d := range repository.DeploysOf(tree.Map(value(t, text))) {
			got = append(got, d.String())
		}
		if diff := cmp.Diff(want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestNamesThatDirectoriesRepeat(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{kind: Service, metadata: {name: a, namespace: shop}}": "Service/shop/a",
		"{kind: Service, metadata: {name: a}}":                  "Service//a",
		"{kind: Service, metadata: {generateName: a}}":          "",
		"{kind: Namespace, metadata: {name: a}}":                "",
	} {
		if got := repository.NameOf(tree.Map(value(t, text))); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
