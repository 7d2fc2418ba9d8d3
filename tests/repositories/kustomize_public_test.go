package repositories_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/mixedkube/mixedkube/internal/cli/kustomize"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	coretree "github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

var public = flag.String("public", "", "a `directory` with clones of public repositories, such as example+shop")

// publicClones returns the directories of clones of public repositories.
func publicClones(t *testing.T) (dirs []string) {
	t.Helper()
	if *public == "" {
		t.Skip("only with go -C tests test ./repositories -run " + t.Name() + " -public DIR")
	}
	clones, err := os.ReadDir(*public)
	if err != nil {
		t.Fatal(err)
	}
	for _, clone := range clones {
		dirs = append(dirs, filepath.Join(*public, clone.Name()))
	}
	return dirs
}

// check finds in each environment of public repositories what it finds in what the library builds for it. The list has
// how many builds were compared of each.
func TestPublicKustomizations(t *testing.T) {
	var list []string
	for _, dir := range publicClones(t) {
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			_, all := parsed(t, "--config", "off", dir)
			found := map[string][]string{}
			var compared []string
			for _, f := range all {
				for _, name := range f.Environments {
					if f.Rule != "" && f.Rule != "MK401" {
						found[name] = append(found[name], f.brief())
					}
				}
			}
			for _, root := range rootsIn(t, dir) {
				want, built := buildOf(t, root)
				if !built {
					continue
				}
				if isShared(root, found) {
					continue // with other builds of a directory that Flux deploys
				}
				got := found[root]
				slices.Sort(want)
				slices.Sort(got)
				if diff := cmp.Diff(slices.Compact(want), slices.Compact(got)); diff != "" {
					t.Errorf("%s (-stream +repository):\n%s", root, diff)
				}
				below, _ := filepath.Rel(dir, root)
				compared = append(compared, filepath.ToSlash(below))
			}
			if n := len(compared); n > 0 {
				list = append(
					list,
					fmt.Sprintf("%s: %d, such as %s", name, n, strings.Join(compared[:min(n, 5)], " ")),
				)
			}
		})
	}
	golden.Equal(t, "testdata/kustomizations.txt", strings.Join(list, "\n")+"\n")
}

// isShared reports whether a directory above a root is an environment.
func isShared(root string, environments map[string][]string) bool {
	for dir := path.Dir(root); dir != path.Dir(dir); dir = path.Dir(dir) {
		if environments[dir] != nil {
			return true
		}
	}
	return false
}

// rootsIn returns the directories below dir whose kustomizations no other one includes.
func rootsIn(tb testing.TB, dir string) (roots []string) {
	tb.Helper()
	access := new(disk.Access)
	files, problems := userfiles.List(access, dir, userfiles.Skips{Chart: func(string) {}})
	if len(problems) > 0 {
		tb.Log(problems)
	}
	var found []repository.File
	for _, file := range files {
		if text, err := access.ReadFile(file, 1<<20); err == nil && repository.IsKustomization(filepath.ToSlash(file)) {
			docs, _ := manifests.ReadObjects(bytes.NewReader(text), file)
			for _, doc := range docs {
				found = append(found, repository.File{Path: filepath.ToSlash(file), Document: coretree.Map(doc.Value)})
			}
		}
	}
	for _, root := range repository.Read(found).Roots(nil) {
		roots = append(roots, root.Dir)
	}
	return roots
}

// buildOf returns the findings in what the library builds.
func buildOf(t *testing.T, root string) (found []string, built bool) {
	t.Helper()
	text, built := libraryBuild(root)
	if !built {
		return nil, false
	}
	stream := filepath.Join(t.TempDir(), "stream.yaml")
	if err := os.WriteFile(stream, text, 0o600); err != nil {
		t.Fatal(err)
	}
	_, all := parsed(t, "--config", "off", stream)
	for _, f := range all {
		if f.Rule != "" && f.Rule != "MK401" {
			found = append(found, f.brief())
		}
	}
	return found, true
}

// libraryBuild returns what the library builds of a kustomization that needs neither network nor charts.
func libraryBuild(root string) (text []byte, built bool) {
	if _, err := kustomize.NewReader(new(disk.Access)).Build(root); err != nil {
		return nil, false
	}
	options := krusty.MakeDefaultOptions()
	options.LoadRestrictions = types.LoadRestrictionsNone
	stderr := os.Stderr
	os.Stderr = nil
	output, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), root)
	os.Stderr = stderr
	if err != nil {
		return nil, false
	}
	text, err = output.AsYaml()
	return text, err == nil
}
