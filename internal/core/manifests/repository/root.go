package repository

import (
	"maps"
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Root is a kustomization that a cluster gets as it is built.
type Root struct {
	// Dir is its directory, and File its path.
	Dir, File string
}

// Roots returns the kustomizations that no other one includes, and those whose directories objects of GitOps tools deploy,
// sorted. A Component is built only as a part of others. The contents are those of all files: see [DeploysOf].
func (r *Repository) Roots(files []Content) (roots []Root) {
	deployed := r.deployed(files)
	for _, dir := range slices.Sorted(maps.Keys(r.at)) {
		k := r.at[dir]
		if kind, _ := tree.Text(k.content["kind"]); kind == "Component" {
			continue
		}
		if !r.IsIncluded(dir) || deployed[dir] {
			roots = append(roots, Root{dir, k.file})
		}
	}
	return roots
}

// IsIncluded reports whether a kustomization includes the one of a directory.
func (r *Repository) IsIncluded(dir string) bool { return len(r.deployedBy[dir]) > 0 }

// HasIncluded reports whether a kustomization includes any other one.
func (r *Repository) HasIncluded() bool {
	for dir := range r.at {
		if r.IsIncluded(dir) {
			return true
		}
	}
	return false
}

// Above returns the paths of the kustomizations that deploy a file, or the directory of another kustomization,
// themselves or through others.
func (r *Repository) Above(file string) (files []string) {
	for _, k := range r.above(file) {
		files = append(files, k.file)
	}
	return files
}

// IsBuilt reports whether builds have all that clusters get of a file: each kustomization that deploys it, and that no
// other one deploys, was built.
func (r *Repository) IsBuilt(file string) bool {
	built := false
	for _, k := range r.above(file) {
		if !r.IsIncluded(k.dir) {
			if !r.Built[k.dir] {
				return false
			}
			built = true
		}
	}
	return built
}

// Reached returns the directories that the build of a directory reads: its own, and those of the kustomizations that it
// includes, themselves or through others.
func (r *Repository) Reached(dir string) []string {
	reached := []string{dir}
	for i := 0; i < len(reached); i++ {
		k := r.at[reached[i]]
		if k == nil {
			continue
		}
		for _, field := range resources {
			for _, name := range k.named(field) {
				if r.at[name] != nil && !slices.Contains(reached, name) {
					reached = append(reached, name)
				}
			}
		}
	}
	return reached
}
