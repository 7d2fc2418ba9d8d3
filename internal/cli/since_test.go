package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// clone is a git repository of a test, with a commit that has the tag "before".
type clone struct {
	tb  testing.TB
	dir string
}

// newClone returns a repository with files.
func newClone(tb testing.TB, files map[string]string) clone {
	tb.Helper()
	c := clone{tb, tb.TempDir()}
	c.git("init", "--quiet")
	c.write(files)
	c.commit()
	c.git("tag", "before")
	return c
}

func (c clone) git(args ...string) {
	c.tb.Helper()
	args = append([]string{"-C", c.dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)
	if out, err := exec.CommandContext(c.tb.Context(), "git", args...).CombinedOutput(); err != nil {
		c.tb.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (c clone) commit() {
	c.tb.Helper()
	c.git("add", "--all")
	c.git("commit", "--quiet", "--allow-empty", "--message=all")
}

// write writes files; those without content are removed.
func (c clone) write(files map[string]string) {
	c.tb.Helper()
	for name, text := range files {
		file := filepath.Join(c.dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(file), 0o700)
		if text == "" {
			err = os.Remove(file)
		} else if err == nil {
			err = os.WriteFile(file, []byte(text), 0o600)
		}
		if err != nil {
			c.tb.Fatal(err)
		}
	}
}

// check returns the files with findings of a check since the commit before, the exit code and the summary.
func (c clone) check(args ...string) (files []string, code exitError, summary string) {
	c.tb.Helper()
	config := filepath.Join(c.dir, ConfigFile)
	if _, err := os.Stat(config); err != nil {
		config = noConfig
	}
	code, stdout, stderr := start(c.tb, "", append([]string{
		"check", "--format", "json", "--config", config, "--since", "before", c.dir,
	}, args...)...)
	var all []struct{ File, Rule string }
	if err := json.Unmarshal([]byte(stdout), &all); err != nil {
		c.tb.Fatalf("%v: %s%s", err, stdout, stderr)
	}
	for _, f := range all {
		name, _ := filepath.Rel(c.dir, f.File)
		if f.Rule != "" { // a note about a file that was left alone
			files = append(files, filepath.ToSlash(name))
		}
	}
	return slices.Compact(files), code, stderr
}

// The pod's node selector contradicts that of its class: a finding of the class' users only.
const (
	linuxClass = "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: iis}\n" +
		"handler: runhcs-wcow-process\nscheduling: {nodeSelector: {kubernetes.io/os: linux}}\n"
	userOfClass = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  os: {name: windows}\n" +
		"  nodeSelector: {kubernetes.io/os: windows}\n  runtimeClassName: iis\n" +
		"  containers: [{name: a, image: shop.example.com/a:1, resources: {limits: {cpu: 1, memory: 1Gi}}}]\n"
)

// podOnHost returns a pod with an error of its own.
func podOnHost(name string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec:\n  os: {name: windows}\n  hostPID: " +
		"true\n" +
		"  containers: [{name: a, image: shop.example.com/a:1}]\n"
}

// A check since a commit reports what changed files have, and what depends on them in their environment.
func TestCheckSince(t *testing.T) {
	t.Parallel()
	const one, user = "a/one.yaml", "b/user.yaml"
	all := []string{one, "a/two.yaml", "b/class.yaml", user, "other/web.yaml"}
	const renames = "resources: [one.yaml]\nimages: [{name: shop.example.com/a, newTag: '2'}]\n"
	type files = map[string]string
	for name, tt := range map[string]struct {
		change files
		want   []string
	}{
		"nothing": {nil, nil},
		"a file":  {files{one: podOnHost("uno")}, []string{one, user}},
		"a new file": {
			files{"a/new.yaml": podOnHost("new")},
			[]string{"a/new.yaml", user},
		},
		"no manifest":     {files{"a/values.yaml": "a: b\n", "README.md": "a\n"}, nil},
		"a deleted class": {files{"b/class.yaml": ""}, []string{user}},
		"a deleted pod":   {files{one: ""}, []string{user}},
		"an ignored file": {
			files{".gitignore": "new.yaml\n", "a/new.yaml": podOnHost("new")}, []string{"a/new.yaml", user},
		},
		"the configuration": {files{ConfigFile: "severities: {MK302: info}\n"}, all},
		"what is read":      {files{".mixedkubeignore": "two.yaml\n"}, slices.DeleteFunc(slices.Clone(all), isTwo)},
		"a kustomization":   {files{"a/kustomization.yaml": renames}, []string{one, user}},
		"the environment": {files{"other/kustomization.yaml": "resources: [../b/class.yaml, " +
			"../b/user.yaml]\n"}, []string{"b/class.yaml", user}},
		"a name": {files{"other/new.yaml": podOnHost("two")}, []string{user, "other/new.yaml"}},
	} {
		for _, committed := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " ", committed), func(t *testing.T) {
				t.Parallel()
				c := newClone(t, files{
					one: podOnHost(
						"one",
					),
					"a/two.yaml":     podOnHost("two"),
					user:             userOfClass,
					"b/class.yaml":   linuxClass,
					"other/web.yaml": podOnHost("three"),
				})
				c.write(tt.change)
				if committed {
					c.commit()
				}
				got, code, summary := c.check()
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s%s", diff, summary)
				}
				everything := name == "the configuration" || name == "what is read"
				if strings.Contains(summary, "left out: ") == everything ||
					(code == passed) != (len(got) == 0 || name == "a deleted class") {
					t.Errorf("exit %d: %s", code, summary)
				}
			})
		}
	}
}

func isTwo(file string) bool { return file == "a/two.yaml" }

// A topology that has changed, and a chart with a changed file, have all of their findings.
func TestCheckSinceReportsWhatATopologyAndAChartAffect(t *testing.T) {
	t.Parallel()
	const topology = "pools: [{name: linux, platform: linux}]\n"
	type files = map[string]string
	for name, tt := range map[string]struct {
		change files
		want   []string
	}{
		"nothing":      {files{"README.md": "a\n"}, nil},
		"a topology":   {files{"t/north.yaml": topology + "# new\n"}, []string{"north/web.yaml"}},
		"a template":   {files{"chart/templates/_names.tpl": "{{/* new */}}\n"}, []string{"chart/templates/web.yaml"}},
		"not tracked":  {files{"chart/templates/new.yaml": "a: b\n"}, []string{"chart/templates/web.yaml"}},
		"a Chart.yaml": {files{"north/Chart.yaml": "name: north\n"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClone(t, files{
				ConfigFile: "environments:\n- {name: north, files: [north], topology: t/north.yaml}\n" +
					"- {name: south, files: [south], topology: t/south.yaml}\n",
				"t/north.yaml": topology, "t/south.yaml": topology,
				"north/web.yaml": podOnHost("web"), "south/web.yaml": podOnHost("web"),
				"chart/Chart.yaml": "name: shop\nversion: 1.0.0\n", "chart/templates/_names.tpl": "{{/* old */}}\n",
				"chart/stdout.txt": "---\n# Source: shop/templates/web.yaml\n" + podOnHost("web"),
			})
			c.git("config", "core.excludesFile", filepath.Join(c.dir, ".git", "excluded"))
			c.write(files{".git/excluded": "args.txt\n"}) // the fake helm writes it
			c.write(tt.change)
			got, _, summary := c.check(filepath.Join(c.dir, "chart"))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s%s", diff, summary)
			}
		})
	}
}

// All formats have the same findings.
func TestCheckSinceInAllFormats(t *testing.T) {
	t.Parallel()
	c := newClone(t, map[string]string{"one.yaml": podOnHost("one"), "two.yaml": podOnHost("two")})
	c.write(map[string]string{"one.yaml": podOnHost("uno")})
	for format := range formats {
		_, stdout, _ := start(t, "", "check", "--config", "off", "--since", "before", "--format", format, c.dir)
		if !strings.Contains(stdout, "one.yaml") || strings.Contains(stdout, "two.yaml") {
			t.Errorf("%s: %s", format, stdout)
		}
	}
}

// The error has the value and a fix, and ends the command with 2.
func TestCheckSinceWithoutAHistory(t *testing.T) {
	c := newClone(t, map[string]string{"web.yaml": podOnHost("web")})
	c.git("checkout", "--quiet", "--orphan", "other")
	c.write(map[string]string{"README.md": "a\n"}) // else it can be the same commit
	c.commit()
	outside := t.TempDir()
	unknown := " is not a commit of the repository " + filepath.ToSlash(c.dir) + ": name a branch, a tag or a commit " +
		"that it has; a shallow clone may lack it: fetch it with its history\n"
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"mian", c.dir}, "--since mian:" + unknown},
		{[]string{"HEAD:web.yaml", c.dir}, "--since HEAD:web.yaml:" + unknown},
		{[]string{"--output=a", c.dir}, "--since --output=a:" + unknown},
		{[]string{"before", c.dir}, "--since before: has no common history with HEAD in the repository " +
			filepath.ToSlash(c.dir) + ": a shallow clone may lack it: fetch it, for example with git fetch " +
			"--unshallow\n"},
		{[]string{"main", outside}, "--since main: " + filepath.ToSlash(outside) +
			": is not in a git repository: name a path of a clone, or run without --since\n"},
		{[]string{"main", "-"}, "--since main: standard input has no history: name files or directories\n"},
		{
			[]string{"HEAD", "--baseline=a.yaml", "--write-baseline", c.dir},
			"--write-baseline: needs all findings: leave out --since\n",
		},
	} {
		code, _, stderr := start(t, "", append([]string{"check", "--config=off", "--since"}, tt.args...)...)
		if code != unusable || !strings.HasPrefix(stderr, tt.want) {
			t.Errorf("%v: exit %d\n%s, want\n%s", tt.args, code, stderr, tt.want)
		}
	}
	t.Setenv("PATH", outside)
	_, _, stderr := start(t, "", "check", "--config=off", "--since", "before", c.dir)
	want := "--since before: there is no git on PATH to read the history: install it, or run without --since\n"
	if stderr != want {
		t.Errorf("without git: %s, want %s", stderr, want)
	}
}

// A class that is deleted makes a certain finding a guess: the guess is new.
func TestCheckSinceReportsWhatADeletedClassHasDecided(t *testing.T) {
	t.Parallel()
	c := newClone(t, map[string]string{
		"class.yaml": strings.Replace(linuxClass, "iis", "windows-2019", 1),
		"web.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  os: {name: windows}\n" +
			"  runtimeClassName: windows-2019\n  containers: [{name: a, image: " +
			"mcr.microsoft.com/windows/servercore:ltsc2022}]\n",
	})
	c.write(map[string]string{"class.yaml": ""})
	_, stdout, _ := start(t, "", "check", "--config", "off", "--since", "before", c.dir)
	for _, rule := range []string{"(MK201)", "(MK401)"} {
		if !strings.Contains(stdout, rule) {
			t.Errorf("no %s in\n%s", rule, stdout)
		}
	}
}

// Findings about built objects are reported if any file has changed that the build reads, and only then.
func TestCheckSinceOfKustomizations(t *testing.T) {
	t.Parallel()
	type files = map[string]string
	for name, tt := range map[string]struct {
		change files
		want   []string
	}{
		"nothing":            {nil, nil},
		"a file of no build": {files{"other.yaml": podOnHost("other")}, []string{"other.yaml"}},
		"the patch of one": {files{"dev/patch.yaml": strings.Replace(builtPart, "spec: {", "spec: {hostIPC: "+
			"true, ", 1)}, []string{"base/web.yaml", "dev/patch.yaml"}},
		"the base": {files{"base/web.yaml": builtWeb + "      hostPID: true\n"}, []string{"base/web.yaml"}},
		"a kustomization": {files{"prod/kustomization.yaml": "resources: [../base]\nnamePrefix: " +
			"a-\n"}, []string{"base/web.yaml"}},
		"one that is not used": {files{"prod/kustomization.yaml": ""}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClone(t, files{
				"base/web.yaml":           builtWeb + "      hostNetwork: true\n",
				"base/kustomization.yaml": "resources: [web.yaml]\n",
				"dev/kustomization.yaml":  "resources: [../base]\npatches: [{path: patch.yaml}]\n",
				"dev/patch.yaml":          builtPart,
				"prod/kustomization.yaml": "resources: [../base]\n",
			})
			c.write(tt.change)
			got, _, summary := c.check()
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s%s", diff, summary)
			}
		})
	}
}

// A budget in a file that has not changed allows no eviction since the workload has one pod: the finding is new, wherever
// the changed file is among the others.
func TestCheckSinceReportsNewFindingsInUnchangedFiles(t *testing.T) {
	t.Parallel()
	deployment := func(replicas string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: " + replicas +
			"\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n" +
			"      os: {name: linux}\n      nodeSelector: {kubernetes.io/os: linux}\n" +
			"      containers: [{name: a, image: shop.example.com/a:1}]\n"
	}
	const budget = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\n" +
		"spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}\n"
	for _, changed := range []string{"a.yaml", "m.yaml", "z.yaml"} {
		t.Run(changed, func(t *testing.T) {
			t.Parallel()
			c := newClone(t, map[string]string{
				"b.yaml": budget, changed: deployment("3"),
				"n.yaml": strings.ReplaceAll(deployment("2"), "web", "shop"),
			})
			if files, _, summary := c.check(); len(files) > 0 {
				t.Errorf("nothing has changed: %v, %s", files, summary)
			}
			c.write(map[string]string{changed: deployment("1")})
			files, _, summary := c.check()
			if !slices.Contains(files, "b.yaml") {
				t.Errorf("got %v, want a finding in b.yaml: %s", files, summary)
			}
		})
	}
}
