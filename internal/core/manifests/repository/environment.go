package repository

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Content is what a file contributes to clusters.
type Content struct {
	// Path is the path of the file.
	Path string
	// Root is the directory of a kustomization, if this is what that builds, and else "".
	Root string
	// Names are the objects whose repetition shows that directories are for different clusters: see [NameOf].
	Names []string
	// Deploys is what the objects of the file deploy: see [DeploysOf].
	Deploys []Deployed
}

// Add adds what an object of the file contributes.
func (c *Content) Add(object map[string]any) {
	if name := NameOf(object); name != "" {
		c.Names = append(c.Names, name)
	}
	c.Deploys = append(c.Deploys, DeploysOf(object)...)
}

// Merge adds what other objects of the file contribute.
func (c *Content) Merge(more Content) {
	c.Names, c.Deploys = append(c.Names, more.Names...), append(c.Deploys, more.Deploys...)
}

// NameOf returns the kind, namespace and name of an object, "" if it has no name of its own, or if several directories
// of one cluster may have it.
func NameOf(object map[string]any) string {
	kind, _ := tree.Text(object["kind"])
	name, _ := tree.Text(tree.At(object, "metadata", "name"))
	namespace, _ := tree.Text(tree.At(object, "metadata", "namespace"))
	if name == "" || kind == "Namespace" || kind == "CustomResourceDefinition" {
		return ""
	}
	return kind + "/" + namespace + "/" + name
}

// shared are names of directories whose objects all clusters get.
var shared = []string{"base", "bases", "common", "global", "shared"}

// Environments returns the names of the environments of each file, in the order of the files. Two files without a common
// environment are for different clusters, or for different parts of one. Files belong to
//
//   - the environments that users have named for them: see Named;
//   - else each kustomization that deploys them, itself or through others, and that no other one deploys;
//   - else the innermost directory that an object of a GitOps tool deploys;
//   - else, if directories beside each other repeat the name of an object, one of these directories; files above them and
//     in directories with names such as base and common belong to each. The name is "" without such directories.
func (r *Repository) Environments(files []Content) [][]string {
	deployed := r.deployed(files)
	all := make([][]string, len(files))
	rest := &directory{}
	for i, f := range files {
		if r != nil && r.Named != nil {
			if all[i] = r.Named(f.Path); len(all[i]) > 0 {
				continue
			}
		}
		roots := r.roots(f.Path, deployed)
		if f.Root != "" {
			roots = []string{r.environmentOf(f.Root, deployed)}
		}
		// No cluster gets the files that the kustomization of a deployed directory does not name.
		if dir, is := innermost(path.Dir(f.Path), deployed); is && len(roots) == 0 && !r.isBuilt(dir) {
			roots = []string{dir}
		}
		if all[i] = roots; len(roots) == 0 {
			rest.add(i, f)
		}
	}
	divided, _ := rest.divide()
	for name, indexes := range divided {
		for _, i := range indexes {
			all[i] = append(all[i], name)
		}
	}
	for i := range all {
		slices.Sort(all[i])
	}
	return all
}

// DirsOf returns the directories with files that the objects of each file deploy, by the name in the object.
func (r *Repository) DirsOf(files []Content) []map[string][]string {
	known := map[string]bool{}
	for _, f := range files {
		for dir := path.Dir(f.Path); !known[dir]; dir = path.Dir(dir) {
			known[dir] = true
		}
	}
	all := slices.Sorted(maps.Keys(known))
	found := make([]map[string][]string, len(files))
	for i, f := range files {
		for _, d := range f.Deploys {
			if d.Dir == "" || d.IsRoot() {
				continue
			}
			if found[i] == nil {
				found[i] = map[string][]string{}
			}
			found[i][d.Dir] = r.dirsOf(f.Path, d.Dir, known, all)
		}
	}
	return found
}

// dirsOf returns the directories that an object of a file names.
func (r *Repository) dirsOf(file, dir string, known map[string]bool, all []string) (found []string) {
	if r != nil && r.Resolve != nil {
		dir = r.Resolve(file, dir)
	}
	if known[dir] {
		return []string{dir}
	}
	if strings.ContainsAny(dir, "*?[") {
		for _, one := range all {
			if matched, err := path.Match(dir, one); err == nil && matched {
				found = append(found, one)
			}
		}
	}
	return found
}

// deployed returns the directories that objects of files deploy.
func (r *Repository) deployed(files []Content) map[string]bool {
	deployed := map[string]bool{}
	for _, byName := range r.DirsOf(files) {
		for _, dirs := range byName {
			for _, dir := range dirs {
				deployed[dir] = true
			}
		}
	}
	return deployed
}

// roots returns the environments of the kustomizations that deploy a file, that no other one deploys, and that were not
// built.
func (r *Repository) roots(file string, deployed map[string]bool) (roots []string) {
	for _, k := range r.above(file) {
		if len(r.deployedBy[k.dir]) > 0 || r.Built[k.dir] {
			continue
		}
		if root := r.environmentOf(k.dir, deployed); !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return roots
}

// environmentOf returns the environment of a kustomization that no other one deploys: its directory. One in a deployed
// directory without a kustomization belongs to that directory: Flux makes one for all of its files.
func (r *Repository) environmentOf(root string, deployed map[string]bool) string {
	if dir, is := innermost(root, deployed); is && dir != root && r.at[dir] == nil {
		return dir
	}
	return root
}

func (r *Repository) isBuilt(dir string) bool { return r != nil && r.Built[dir] }

// innermost returns the innermost of directories that a directory is, or is below.
func innermost(dir string, of map[string]bool) (string, bool) {
	for ; ; dir = path.Dir(dir) {
		if of[dir] {
			return dir, true
		}
		if dir == "." || dir == "/" {
			return "", false
		}
	}
}
