package cli

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// manifestsBelow returns the readable files with objects below directories.
func manifestsBelow(t *testing.T, dirs ...string) []string {
	t.Helper()
	var all []string
	for _, dir := range dirs {
		files, problems := userfiles.List(new(disk.Access), filepath.FromSlash(dir), userfiles.Skips{})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		var in input
		in.survey(files)
		for _, file := range files {
			if objects, _, problems := in.objects(file); len(problems) == 0 && len(objects) > 0 {
				all = append(all, file)
			}
		}
	}
	return all
}

// inOneDirectory copies files into one directory.
func inOneDirectory(t *testing.T, files []string) []string {
	t.Helper()
	dir := t.TempDir()
	copies := make([]string, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		copies[i] = filepath.Join(dir, fmt.Sprintf("%03d-%s", i, filepath.Base(file)))
		if err := os.WriteFile(copies[i], text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return copies
}

// atOnce checks all objects of the files in memory, each alone and all together, and returns a line for each finding.
func atOnce(t *testing.T, options preflight.Options, files []string) []string {
	t.Helper()
	checker := preflight.New(options)
	var objects []object
	var trees []map[string]any
	var repository input
	repository.survey(files)
	for _, file := range files {
		in, _, problems := repository.objects(file)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		for _, o := range in {
			objects, trees = append(objects, o), append(trees, o.tree)
		}
	}
	across := checker.Across(trees)
	var lines []string
	for i, o := range objects {
		alone := append(checker.Check(o.tree), checker.DuplicateKeys(o.tree, o.doc.Duplicates)...)
		if o.written != nil {
			alone = append(alone, checker.CheckPlaceholders(pods.ReadObject(o.written), alone)...)
		}
		for _, f := range preflight.Join(alone, across[i]) {
			inHook(&f, strings.Join(hookEvents(o.tree), ", "))
			lines = append(lines, fmt.Sprintf("%s:%d: %s %t %s", o.file, max(1, o.doc.Line(f.Path)), f.Severity,
				f.Suppressed, f))
		}
	}
	return lines
}

// checkedLines returns the same lines from the command, which does not keep the objects.
func checkedLines(t *testing.T, options preflight.Options, in *input, paths []string) []string {
	t.Helper()
	c := checking{paths: paths, clusters: []*checkedCluster{{options: options}}}
	r := c.check(t.Context(), in, io.Discard)
	if len(r.Problems) > 0 {
		t.Fatal(r.Problems)
	}
	var lines []string
	for _, f := range r.Findings {
		lines = append(lines, fmt.Sprintf("%s:%d: %s %t %s", f.File, f.Line, f.Severity, f.Suppressed, f))
	}
	return lines
}

func clusters(t *testing.T) []preflight.Options {
	t.Helper()
	all := []preflight.Options{{}, {KubernetesVersion: "1.36"}}
	for _, name := range []string{"topology", "topology-untainted", "topology-releases"} {
		file := filepath.Join("testdata", name+".yaml")
		read, _, err := new(input).topology(t.Context(), file, configuration{}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		bare := read
		bare.MissingFeatures, bare.Cloud = topology.Features(), topology.EKS
		all = append(all, preflight.Options{Topology: read}, preflight.Options{Topology: bare})
	}
	return all
}

// The data that is kept of each object has the same findings as all objects at once, whatever the objects are.
func TestCheckMatchesTheFindingsOfAllObjectsAtOnce(t *testing.T) {
	t.Parallel()
	// In one directory: examples repeat names, and so would be environments.
	files := inOneDirectory(t, manifestsBelow(t, "testdata/check", "../../internal/core/preflight/examples"))
	if len(files) < 300 {
		t.Fatalf("only %d files", len(files))
	}
	compared := 0
	for i, options := range clusters(t) { //nolint:paralleltest // they count together
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			groups := [][]string{files}
			for group := range slices.Chunk(files, 3) { // of one rule or two
				groups = append(groups, group)
			}
			for range 30 {
				var group []string
				for _, at := range random.Perm(len(files))[:2+random.IntN(10)] {
					group = append(group, files[at])
				}
				groups = append(groups, group)
			}
			for _, group := range groups {
				want := atOnce(t, options, group)
				if diff := cmp.Diff(want, checkedLines(t, options, &input{}, group)); diff != "" {
					t.Fatalf("%v (-at once +checked):\n%s", group, diff)
				}
				compared += len(want)
			}
		})
	}
	if compared < 5_000 {
		t.Errorf("only %d findings were compared", compared)
	}
}

// The file has many objects, and the stream can be read only once.
func TestCheckOfAStreamMatchesTheFile(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, file := range manifestsBelow(t, "../../internal/core/preflight/examples") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString("---\n" + string(text) + "\n")
	}
	file := filepath.Join(t.TempDir(), "all.yaml")
	if err := os.WriteFile(file, []byte(all.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	options := preflight.Options{KubernetesVersion: "1.36"}
	want := atOnce(t, options, []string{file})
	if diff := cmp.Diff(want, checkedLines(t, options, &input{}, []string{file})); diff != "" {
		t.Errorf("of a file (-at once +checked):\n%s", diff)
	}
	got := checkedLines(t, options, &input{stdin: strings.NewReader(all.String())}, []string{stdinPath})
	for i, line := range want {
		want[i] = strings.Replace(line, filepath.ToSlash(file), stdinName, 1)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("of standard input (-at once +checked):\n%s", diff)
	}
}

// Only the RuntimeClass has the platform of the pods, and their Service comes before both.
func TestCheckUsesTheClassOfTheServicesPods(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "web.yaml")
	if err := os.WriteFile(file, []byte(`apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  externalTrafficPolicy: Local
  selector: {app: web}
---
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {runtimeClassName: iis, containers: [{name: web, image: web, resources: {limits: {memory: 1Gi}}}]}
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: iis}
handler: runhcs-wcow-process
scheduling: {nodeSelector: {kubernetes.io/os: windows}}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{
		filepath.ToSlash(file) + ":5: warning false spec.externalTrafficPolicy: … (MK601)",
		filepath.ToSlash(file) + ":11: info false spec.os.name: … (MK105)",
	}
	got := checkedLines(t, preflight.Options{}, &input{}, []string{file})
	if diff := cmp.Diff(want, got, golden.AnySentence); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The file changes while it is checked.
func TestAFileChangesWhileItIsChecked(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "web.yaml")
	class := "kind: RuntimeClass\napiVersion: node.k8s.io/v1\nmetadata: {name: iis}\nhandler: runhcs-wcow-process\n"
	text := class + "---\n" + strings.Replace(pod, "hostPID: true", "runtimeClassName: iis", 1) + `---
apiVersion: v1
kind: PersistentVolume
metadata: {name: one}
spec: {csi: {driver: smb.csi.k8s.io, volumeHandle: a, volumeAttributes: {source: //s/x}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: two}
spec: {csi: {driver: smb.csi.k8s.io, volumeHandle: a, volumeAttributes: {source: //s/y}}}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	in, checker := &input{}, preflight.New(preflight.Options{})
	of := &checkedCluster{checker: checker, alone: checker.Collect(nil)}
	one := look{path: file, cluster: of}
	one.first(in, false, func(object) {})
	if err := os.WriteFile(file, []byte("# new\n"+text), 0o600); err != nil {
		t.Fatal(err)
	}
	of.again(in, []*look{&one})
	want := filepath.ToSlash(file) + ": has changed while it was checked: run the command again"
	if aside := one.aside; aside == nil || len(aside.problems) != 1 || aside.problems[0].Error() != want {
		t.Errorf("beside the objects is %+v, want %s", aside, want)
	}
}

// A kustomization builds whole objects, even if they look like parts.
func TestBuiltObjectsAreWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"kustomization.yaml": "resources: [pod.yaml]\n",
		"pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n" +
			"spec: {os: {name: windows}, hostPID: true, containers: [{name: a}]}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, stdout, stderr := runCheck(t, "", dir); code != failed || !strings.Contains(stdout, "spec.hostPID") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}
