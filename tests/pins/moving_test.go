package pins

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/cli"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
)

// command runs mixedkube.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Run(t.Context(), args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// move moves the workloads with relaxed matching from the pool with Windows Server 2022, which is cordoned, to the one with
// Windows Server 2025: the stacks with one update, the files with one command.
func (c *testCluster) move(t *testing.T, all []recording) {
	t.Helper()
	c.forget(t)
	inStacks := where(all, func(r recording) bool { return !r.fromFile() })
	// Pulumi's provider cannot replace a Pod that has a name of its own.
	c.remove(t, where(ofKind(inStacks, "Pod"), func(r recording) bool { return !r.namesClass() && !r.autonamed() }))
	stacks := c.stacks(t)
	update(t, stacks["class"], stacks["selector"], stacks["place"])
	files := moveFiles(t)
	c.remove(t, ofKind(files, "Pod", "Job"))
	c.apply(t, files)
	c.register(t, "2025")

	// Nothing about a Pod or a Job changes if only its class does, and nothing creates it again with its node.
	c.remove(t, where(ofKind(inStacks, "Pod", "Job"), recording.namesClass))
	update(t, stacks["class"])
	c.runJobs(t, all)
}

// fromFile reports whether the object was recorded in a file, and not in a state.
func (r recording) fromFile() bool {
	return filepath.Base(filepath.Dir(r.source)) == string(r.matching)
}

// autonamed reports whether Pulumi has generated the name of the object.
func (r recording) autonamed() bool {
	return tree.Map(tree.Map(r.object["metadata"])["annotations"])["pulumi.com/autonamed"] != nil
}

// where returns the recordings for which a condition holds.
func where(all []recording, holds func(recording) bool) []recording {
	return slices.DeleteFunc(slices.Clone(all), func(r recording) bool { return !holds(r) })
}

// update runs `pulumi up --refresh` for stacks, in parallel.
func update(t *testing.T, stacks ...*deploy.Stack) {
	t.Helper()
	var group sync.WaitGroup
	for _, stack := range stacks {
		group.Go(func() {
			if err := stack.Up(t.Context(), "--refresh", "--skip-preview"); err != nil {
				t.Errorf("%s: %v", stack.Name, err)
			}
		})
	}
	group.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// stacks returns the stacks with relaxed matching, by their ways, in the recorded states.
func (c *testCluster) stacks(t *testing.T) map[string]*deploy.Stack {
	t.Helper()
	stacks := map[string]*deploy.Stack{}
	for _, state := range statesWith(t, platform.Relaxed) {
		name := strings.TrimSuffix(filepath.Base(state), ".json")
		way := strings.TrimPrefix(name, string(platform.Relaxed)+"-")
		stacks[way] = c.stack(t, name, way, state)
		path, err := filepath.Abs(state)
		check(t, err)
		check(t, stacks[way].Restore(t.Context(), path))
	}
	return stacks
}

// stack returns the stack of a state, with the pool of Windows Server 2025.
func (c *testCluster) stack(t *testing.T, name, way, state string) *deploy.Stack {
	t.Helper()
	cluster := pools(t, "2025")
	cluster.Matching = platform.Relaxed
	count := 0
	for _, o := range stateOf(t, state) {
		if o.object["kind"] != "RuntimeClass" {
			count++
		}
	}
	config, err := yaml.Marshal(map[string]any{"config": map[string]any{
		"pins:way": way, "pins:count": count, "pins:topology": cluster,
	}})
	check(t, err)
	file := filepath.Join(t.TempDir(), "Pulumi."+name+".yaml")
	check(t, os.WriteFile(file, config, 0o600))
	stack, err := c.Project(t.Context(), filepath.Join(c.Root, "tests", "pins", "testdata", "stack"), name, file)
	check(t, err)
	return stack
}

// moveFiles lets one command move the files with relaxed matching, and returns their workloads.
func moveFiles(t *testing.T) []recording {
	t.Helper()
	dir := t.TempDir()
	for _, path := range filesWith(t, platform.Relaxed) {
		text, err := os.ReadFile(path)
		check(t, err)
		check(t, os.WriteFile(filepath.Join(dir, filepath.Base(path)), text, 0o600))
	}
	moves := []string{"adopt", "--topology", poolsFile("2025"), "--matching", "relaxed", "--move-pins", "-w", dir}
	if code, stdout, stderr := command(t, moves...); code != 0 {
		t.Fatalf("adopt --move-pins ends with %d:\n%s%s", code, stdout, stderr)
	}
	var moved recordings
	for _, path := range filesWith(t, platform.Relaxed) {
		path = filepath.Join(dir, filepath.Base(path))
		moved.add(t, objectsOf(t, path), recording{matching: platform.Relaxed, source: path, manager: "kubectl"})
	}
	return moved.workloads
}
