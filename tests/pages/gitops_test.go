package pages

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/markdown"
)

// block returns the block of a page that has a text.
func block(t *testing.T, page, text string) string {
	t.Helper()
	blocks := slices.DeleteFunc(markdown.Blocks(read(t, root, page)), func(b markdown.Block) bool {
		return !strings.Contains(b.Code(), text)
	})
	if len(blocks) != 1 {
		t.Fatalf("%s has %d blocks with %q, want one", page, len(blocks), text)
	}
	return blocks[0].Code()
}

// run runs a command in a directory. The environment has only these variables.
func run(t *testing.T, dir string, env []string, command ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	var out, errOut bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, &out, &errOut
	if err := cmd.Run(); err != nil {
		if _, failed := errors.AsType[*exec.ExitError](err); !failed {
			t.Fatal(err)
		}
	}
	return cmd.ProcessState.ExitCode(), out.String(), errOut.String()
}

func writeAll(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
}

const (
	rightPod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n  - image: " +
		"shop.example.com/web:1\n" +
		"    name: web\n"
	windowsOnLinux = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  os:\n    name: windows\n" +
		"  nodeSelector:\n    kubernetes.io/os: windows\n  containers:\n  - image: shop.example.com/web:1\n    name: " +
		"web\n"
	linuxOnly = "pools: [{name: linux, platform: linux}]\n"
	bothPools = "pools: [{name: linux, platform: linux}, {name: win, platform: windows-2022, untainted: true}]\n"
)

// The command of the plugin runs as Argo CD runs it: in the directory of the Application, with its variables.
func TestThePluginOfArgoCDChecksWhatItPrints(t *testing.T) {
	t.Parallel()
	var plugin struct {
		Spec struct {
			Generate struct{ Command, Args []string }
		}
	}
	text := block(t, "docs/argo-cd.md", "kind: ConfigManagementPlugin")
	if err := yaml.Unmarshal([]byte(text), &plugin); err != nil || len(plugin.Spec.Generate.Args) != 1 {
		t.Fatalf("the plugin is %+v: %v", plugin, err)
	}
	generate := slices.Concat(plugin.Spec.Generate.Command, plugin.Spec.Generate.Args)
	path := labtest.Commands(t, "kubectl") + string(os.PathListSeparator) + os.Getenv("PATH")
	for name, tt := range map[string]struct {
		files   map[string]string
		cluster string
		code    int
		printed string // all of standard output
		message string // a part of standard error
	}{
		"right": {map[string]string{"web.yaml": rightPod}, "", 0, "---\n" + rightPod, "mixedkube: shop, " +
			"deploy/production at f913b6c\n"},
		"wrong": {map[string]string{"web.yaml": windowsOnLinux}, "", 1, "", "(MK303)"},
		"a cluster": {
			map[string]string{"web.yaml": windowsOnLinux}, "both", 0, "---\n" + windowsOnLinux, "checked: 1 object",
		},
		"a configuration": {
			map[string]string{"web.yaml": windowsOnLinux, ".mixedkube.yaml": "severities: {MK303: warning}\n"},
			"", 0,
			"---\n" + windowsOnLinux, "1 warning, with .mixedkube.yaml",
		},
		"no cluster": {map[string]string{"web.yaml": rightPod}, "none", 2, "", "none.yaml: no such file"},
		"another directory": {
			map[string]string{"web.yaml": rightPod},
			"../../etc", 2, "",
			"CLUSTER: ../../etc: must have only a-z, 0-9 and -\n",
		},
		"no object": {map[string]string{"empty.yaml": "# nothing\n"}, "", 2, "", "no Kubernetes object to check"},
		"no file":   {nil, "", 1, "", "*.yaml"},
		"a kustomization": {
			map[string]string{
				"kustomization.yaml": "resources: [web.yaml]\nnamePrefix: shop-\n", "web.yaml": rightPod,
			}, "", 0, strings.Replace(rightPod, "web", "shop-web", 1), "checked: 1 object",
		},
		"a wrong patch": {
			map[string]string{
				"kustomization.yaml": "resources: [web.yaml]\npatches: [{path: patch.yaml}]\n", "web.yaml": rightPod,
				"patch.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {os: {name: windows}}\n",
			}, "", 1, "", "(MK301)",
		},
		"a wrong kustomization": {map[string]string{"kustomization.yaml": "resources: " +
			"[none.yaml]\n"}, "", 1, "", "none.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, topologies := t.TempDir(), t.TempDir()
			writeAll(t, dir, tt.files)
			writeAll(t, topologies, map[string]string{"cluster.yaml": linuxOnly, "both.yaml": bothPools})
			env := []string{
				"PATH=" + path, "TOPOLOGIES=" + topologies, "TMPDIR=" + t.TempDir(), "KUBE_VERSION=1.36.3",
				"ARGOCD_APP_NAME=shop", "ARGOCD_APP_NAMESPACE=shop", "ARGOCD_APP_SOURCE_PATH=deploy/production",
				"ARGOCD_APP_REVISION=f913b6cbf58aa5ae5ca1f8a2b149477aebcbd9d8", "ARGOCD_APP_REVISION_SHORT=f913b6c",
			}
			if tt.cluster != "" {
				env = append(env, "ARGOCD_ENV_CLUSTER="+tt.cluster)
			}
			code, stdout, stderr := run(t, dir, env, generate...)
			if code != tt.code || stdout != tt.printed || !strings.Contains(stderr, tt.message) {
				t.Errorf("exit %d, want %d, with %q\n%s%s", code, tt.code, tt.message, stdout, stderr)
			}
		})
	}
}

// The command for a repository of Flux has findings of the changed cluster only, with its topology.
func TestAPullRequestForFluxIsChecked(t *testing.T) {
	t.Parallel()
	command := strings.TrimPrefix(block(t, "docs/flux.md", "--since"), "$ ")
	const kustomization = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n" +
		"metadata: {name: apps, namespace: flux-system}\nspec: {path: ./apps/CLUSTER, prune: true}\n"
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{
		".mixedkube.yaml":            block(t, "docs/flux.md", "environments:"),
		"topologies/production.yaml": linuxOnly, "topologies/staging.yaml": bothPools,
		"clusters/production/apps.yaml": strings.Replace(kustomization, "CLUSTER", "production", 1),
		"clusters/staging/apps.yaml":    strings.Replace(kustomization, "CLUSTER", "staging", 1),
		"apps/production/web.yaml":      rightPod, "apps/staging/web.yaml": rightPod,
		"apps/production/old.yaml": strings.Replace(windowsOnLinux, "web", "old", 1),
	})
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"git", "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)
		if code, _, stderr := run(t, dir, os.Environ(), args...); code != 0 {
			t.Fatalf("%v: %s", args, stderr)
		}
	}
	git("init", "--quiet")
	git("add", "--all")
	git("commit", "--quiet", "--message=all")
	git("update-ref", "refs/remotes/origin/main", "HEAD")
	path := "PATH=" + labtest.Commands(t) + string(os.PathListSeparator) + os.Getenv("PATH")
	for _, tt := range []struct {
		changed string
		code    int
		found   []string
	}{
		{"", 0, nil},
		{"apps/staging/web.yaml", 0, nil},
		{"apps/production/web.yaml", 1, []string{"apps/production/web.yaml"}},
	} {
		if tt.changed != "" {
			writeAll(t, dir, map[string]string{tt.changed: windowsOnLinux})
		}
		code, stdout, stderr := run(t, dir, []string{path}, "sh", "-c", command)
		var found []string
		for line := range strings.Lines(stdout) {
			if strings.Contains(line, ": error: ") {
				file, _, _ := strings.Cut(line, ":")
				found = append(found, file)
			}
		}
		if code != tt.code || !slices.Equal(slices.Compact(found), tt.found) {
			t.Errorf("%s: exit %d, want %d\n%s%s", tt.changed, code, tt.code, stdout, stderr)
		}
	}
}
