package repository

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// directory has the files of a directory, by their index, and the directories below it.
type directory struct {
	files []int
	// names are the objects of the files.
	names map[string]bool
	below map[string]*directory
}

// add adds a file to its directory below this one.
func (d *directory) add(i int, f Content) {
	for part := range strings.SplitSeq(path.Dir(f.Path), "/") {
		if d.below == nil {
			d.below = map[string]*directory{}
		}
		if d.below[part] == nil {
			d.below[part] = &directory{}
		}
		d = d.below[part]
	}
	d.files = append(d.files, i)
	for _, name := range f.Names {
		if d.names == nil {
			d.names = map[string]bool{}
		}
		d.names[name] = true
	}
}

// groups are files by the name of their environment, "" for the only one.
type groups map[string][]int

// divide returns the environments of the files in and below the directory, and the names of their objects.
func (d *directory) divide() (groups, map[string]bool) {
	children := slices.Sorted(maps.Keys(d.below))
	divided := map[string]groups{}
	names := maps.Clone(d.names)
	inParent, between := false, false
	for _, child := range children {
		var more map[string]bool
		divided[child], more = d.below[child].divide()
		if names == nil {
			names = more // divide has made the map for its caller
			continue
		}
		for name := range more {
			inParent = inParent || d.names[name]
			between = between || names[name] && !d.names[name]
			names[name] = true
		}
	}
	repeats := inParent || between
	found, common := groups{}, []int(nil)
	for _, child := range children {
		for _, name := range slices.Sorted(maps.Keys(divided[child])) {
			files := divided[child][name]
			switch {
			case name == "" && (!repeats || slices.Contains(shared, child)):
				common = append(common, files...)
			case name == "":
				found[child] = append(found[child], files...)
			case repeats:
				found[path.Join(child, name)] = append(found[path.Join(child, name)], files...)
			default: // apps/dev and infrastructure/dev are for one cluster
				found[name] = append(found[name], files...)
			}
		}
	}
	if inParent {
		found["."] = append(found["."], d.files...)
	} else {
		common = append(common, d.files...)
	}
	if len(found) == 0 {
		return groups{"": common}, names
	}
	for name := range found {
		found[name] = append(found[name], common...)
	}
	return found, names
}
