package cli

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const (
	builtWeb = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: " +
		"web}}\n" +
		"  template:\n    metadata: {labels: {app: web}}\n    spec:\n      os: {name: windows}\n" +
		"      containers: [{name: web, image: registry.example.com/web:1, resources: {limits: {memory: 1Gi}}}]\n"
	builtPart = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n" +
		"  template: {spec: {containers: [{name: web}]}}\n"
)

// adopt writes into a base only if all kustomizations that include it were built and are for the same cluster, and
// never into a part of an object. Each case differs in one of these from the first.
func TestAdoptLeavesBasesToOthers(t *testing.T) {
	t.Parallel()
	linux := "{pools: [{name: linux, platform: linux}]}"
	for name, tt := range map[string]struct {
		files map[string]string
		paths []string
		// edited are the files that change, added those that are new.
		edited, added []string
	}{
		"all need the same": {nil, nil, []string{"base/web.yaml"}, nil},
		"another cluster": {
			map[string]string{ConfigFile: "environments:\n- {name: dev, files: [/dev/]}\n- {name: prod, files: " +
				"[/prod/], topology: " + linux + "}\n"},
			nil,
			[]string{"dev/kustomization.yaml", "prod/kustomization.yaml"},
			[]string{"dev/adopt-deployment-web.yaml", "prod/adopt-deployment-web.yaml"},
		},
		"a kustomization that is not built": {
			map[string]string{"test/kustomization.yaml": "resources: [../base, https://example.com/a.yaml]\n"},
			nil,
			[]string{"dev/kustomization.yaml", "prod/kustomization.yaml"},
			[]string{"dev/adopt-deployment-web.yaml", "prod/adopt-deployment-web.yaml"},
		},
		"one overlay": {
			nil, []string{"dev"}, []string{"dev/kustomization.yaml"}, []string{"dev/adopt-deployment-web.yaml"},
		},
		"a part of an object": {
			map[string]string{
				"base/web.yaml": builtPart, "whole/kustomization.yaml": "kind: Component\napiVersion: " +
					"kustomize.config.k8s.io/v1alpha1\n" +
					"patches: [{path: web.yaml}]\n", "whole/web.yaml": builtWeb,
				"dev/kustomization.yaml":  "resources: [../base]\ncomponents: [../whole]\n",
				"prod/kustomization.yaml": "resources: [../base]\ncomponents: [../whole]\n",
			},
			nil,
			[]string{"dev/kustomization.yaml", "prod/kustomization.yaml"},
			[]string{"dev/adopt-deployment-web.yaml", "prod/adopt-deployment-web.yaml"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{
				"base/web.yaml": builtWeb, "base/kustomization.yaml": "resources: [web.yaml]\n",
				"dev/kustomization.yaml": "resources: [../base]\n", "prod/kustomization.yaml": "resources: [../base]\n",
			}
			maps.Copy(files, tt.files)
			c := newClone(t, files)
			config := noConfig
			if files[ConfigFile] != "" {
				config = filepath.Join(c.dir, ConfigFile)
			}
			paths := []string{c.dir}
			for i, path := range tt.paths {
				paths = append(paths[:i], filepath.Join(c.dir, path))
			}
			args := append([]string{
				"adopt", "-w", "--write-patches", "--config", config, "--topology", "testdata/topology.yaml",
			}, paths...)
			code, _, stderr := start(t, "", args...)
			if code != passed {
				t.Errorf("exit %d: %s", code, stderr)
			}
			edited, added := c.changed()
			if diff := cmp.Diff(
				[2][]string{tt.edited, tt.added},
				[2][]string{edited, added},
				cmpopts.EquateEmpty(),
			); diff != "" {
				t.Errorf("(-want +got):\n%s%s", diff, stderr)
			}
		})
	}
}

// changed returns the files that differ from the last commit, and new ones.
func (c clone) changed() (edited, added []string) {
	c.tb.Helper()
	lines := func(args ...string) []string {
		out, err := exec.CommandContext(c.tb.Context(), "git", append([]string{"-C", c.dir}, args...)...).Output()
		if err != nil {
			c.tb.Fatal(err)
		}
		return strings.Fields(string(out))
	}
	return lines("diff", "--name-only"), lines("ls-files", "--others")
}

// A patch does not replace a file, and the kustomization names it.
func TestAdoptWritesPatchesNextToKustomizations(t *testing.T) {
	t.Parallel()
	c := newClone(t, map[string]string{
		"base/web.yaml": builtWeb, "base/kustomization.yaml": "resources: [web.yaml]\n",
		"prod/kustomization.yaml":         "resources: [../base]\n",
		"prod/adopt-deployment-web.yaml":  "taken: true\n",
		"prod/adopt-deployment-web2.yaml": "taken: true\n",
	})
	code, _, stderr := start(t, "", "adopt", "-w", "--write-patches", "--config", noConfig,
		"--topology", "testdata/topology.yaml", filepath.Join(c.dir, "prod"))
	if code != passed {
		t.Errorf("exit %d: %s", code, stderr)
	}
	text, err := os.ReadFile(filepath.Join(c.dir, "prod", "kustomization.yaml"))
	want := "resources: [../base]\npatches:\n- path: adopt-deployment-web-2.yaml\n  target:\n    kind: Deployment\n  " +
		"  name: web\n"
	if diff := cmp.Diff(want, string(text)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
