package powershell

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// settings is the part of node.json that the step "directories" reads.
type settings struct {
	Directories []struct{ Path, Access string }
	Links       []struct{ Path, Target string }
}

func nodeSettings(t *testing.T) settings {
	t.Helper()
	files := mustNodeFiles(t, network.UpstreamL3, platform.WindowsServer2022, "1.36")
	for _, f := range files {
		if f.Path == "C:/mixedkube/node.json" {
			var s settings
			err := json.Unmarshal([]byte(f.Content), &s)
			if err != nil || len(s.Directories) < 10 || len(s.Links) != 1 {
				t.Fatalf("node.json has %+v: %v", s, err)
			}
			return s
		}
	}
	t.Fatal("there is no node.json")
	return settings{}
}

// object returns what Read-Settings returns.
func (s settings) object() *object {
	var directories, links []any
	for _, d := range s.Directories {
		directories = append(directories, &object{properties: map[string]any{"path": d.Path, "access": d.Access}})
	}
	for _, l := range s.Links {
		links = append(links, &object{properties: map[string]any{"path": l.Path, "target": l.Target}})
	}
	return &object{properties: map[string]any{"directories": directories, "links": links}}
}

// directories runs the step "directories" of bootstrap.ps1.
type directories struct {
	functions map[string]node
	settings
}

func step(t *testing.T) directories {
	t.Helper()
	return directories{functionsOf(t, bootstrapScript(t)), nodeSettings(t)}
}

// on returns an interpreter for the step on a disk.
func (s directories) on(d disk) interpreter {
	i := d.with(s.functions)
	i.variables["$settings"] = s.object()
	i.commands["Test-Path"] = func(parameters map[string]any, _ []any) any {
		return d[windowsPath(parameters["LiteralPath"])] != nil
	}
	i.commands["New-Item"] = func(parameters map[string]any, _ []any) any {
		d[windowsPath(parameters["Path"])] = &entry{dir: true, link: true, owner: system}
		return nil
	}
	// The access of a directory itself has tests of its own.
	i.commands["Test-Access"] = func(map[string]any, []any) any { return true }
	return i
}

// all returns the directories of the node, and those above them.
func (s settings) all() []string {
	found := map[string]bool{}
	for _, d := range s.Directories {
		for at := windowsPath(d.Path); !strings.HasSuffix(at, ":"); at = at[:strings.LastIndex(at, `\`)] {
			found[at] = at != `C:\Program Files`
		}
	}
	maps.DeleteFunc(found, func(_ string, checked bool) bool { return !checked })
	return slices.Sorted(maps.Keys(found))
}

// A directory that is missing above those of the node gets the rights of the first one below it. C:\var\lib\kubelet
// has the rights of the disk: the users of pods must get at their volumes.
func TestTheDirectoriesOfANodeAreCreatedWithThoseAboveThem(t *testing.T) {
	d, step := disk{}, step(t)
	script := step.on(d)
	if done, failure := script.run("Test-Directory"); done != false || failure != "" {
		t.Errorf("before, the step is done: %v, %q", done, failure)
	}
	if _, failure := script.run("Set-Directory"); failure != "" {
		t.Fatal(failure)
	}
	want := disk{`C:\var\lib\kubelet\etc\kubernetes\pki`: {dir: true, link: true, owner: system}}
	for _, path := range step.all() {
		want[path] = &entry{dir: true, owner: system} // as the disk's
	}
	for _, s := range step.Directories {
		if s.Access != "inherited" {
			want[windowsPath(s.Path)] = adminEntry()
		}
		if s.Access == "readable" {
			readable := want[windowsPath(s.Path)]
			readable.access = append(readable.access, users)
		}
	}
	want[`C:\var\log`] = adminEntry()
	if diff := cmp.Diff(want, d, cmp.AllowUnexported(entry{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if done, failure := script.run("Test-Directory"); done != true || failure != "" {
		t.Errorf("afterwards, the step is done: %v, %q", done, failure)
	}
}

// A user who creates C:\var\log before the node may rename what is in it, for example the private directory of logs.
func TestDirectoriesAboveThatBelongToOthersAreRefused(t *testing.T) {
	step := step(t)
	all := step.all()
	for _, path := range []string{
		`C:\var`, `C:\var\lib`, `C:\var\lib\kubelet`, `C:\var\lib\kubelet\etc`, `C:\var\log`,
	} {
		if !slices.Contains(all, path) {
			t.Errorf("%s is not above a directory of the node", path)
		}
	}
	for _, path := range all {
		for what, c := range map[string]struct {
			existing entry
			want     string
		}{
			"another user's": {
				*userEntry(true),
				path + " belongs to " + somebody + ", neither to the system nor to the administrators: remove it",
			},
			"a link": {entry{dir: true, link: true, owner: administrators}, path + " leads elsewhere: remove it"},
		} {
			existing := c.existing
			d := disk{path: &existing}
			for at := path[:strings.LastIndex(path, `\`)]; !strings.HasSuffix(at, ":"); {
				d[at] = &entry{dir: true, owner: system}
				at = at[:strings.LastIndex(at, `\`)]
			}
			if _, failure := step.on(d).run("Set-Directory"); windowsPath(failure) != c.want {
				t.Errorf("%s, %s: %q, want %q", path, what, failure, c.want)
			}
			if !cmp.Equal(c.existing, *d[path], cmp.AllowUnexported(entry{})) {
				t.Errorf("%s, %s: it is changed", path, what)
			}
			// On a node that an older script has set up.
			complete := disk{}
			if _, failure := step.on(complete).run("Set-Directory"); failure != "" {
				t.Fatal(failure)
			}
			complete[path] = &existing
			if _, failure := step.on(complete).run("Test-Directory"); windowsPath(failure) != c.want {
				t.Errorf("%s, %s, on a node: %q, want %q", path, what, failure, c.want)
			}
		}
	}
}
