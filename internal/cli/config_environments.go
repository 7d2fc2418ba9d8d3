package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// Environment is a part of a repository that is for one cluster.
type Environment struct {
	// Name is shown with findings. It must be set, and differ from other names.
	Name string `json:"name"`
	// Files are patterns of its files, as in .gitignore. Their paths begin in the directory of the configuration. A file
	// can belong to several environments.
	Files []string `json:"files"`
	// Topology is the cluster, in the same forms as the one of the configuration, which is the default.
	Topology any `json:"topology"`
	// To is what the cluster is planned to become, in the same forms as Topology. The default is none with a topology of
	// its own, and else the one of the configuration.
	To any `json:"to"`
}

// maxEnvironments is how many environments a configuration can have: each has a topology, and each file is compared with
// the patterns of all.
const maxEnvironments = 200

// checkEnvironments returns what is wrong with environments, and the patterns of those that are right.
func checkEnvironments(environments []Environment, at *field.Path) (all []userfiles.Patterns, errs field.ErrorList) {
	if len(environments) > maxEnvironments {
		return nil, field.ErrorList{field.TooMany(at, len(environments), maxEnvironments)}
	}
	names, patterns := map[string]bool{}, 0
	for i, e := range environments {
		at := at.Index(i)
		switch {
		case e.Name == "":
			errs = append(errs, field.Required(at.Child("name"), "name the cluster, for example production"))
		case e.Name != escape.Line(e.Name):
			errs = append(errs, field.Invalid(at.Child("name"), e.Name, "must be one line of printable characters"))
		case names[e.Name]:
			errs = append(errs, field.Duplicate(at.Child("name"), e.Name))
		}
		names[e.Name] = true
		if len(e.Files) == 0 {
			errs = append(
				errs,
				field.Required(at.Child("files"), "write the directories, for example /clusters/production/"),
			)
		}
		if patterns += len(e.Files); patterns > userfiles.MaxPatterns {
			return nil, append(errs, field.TooMany(at.Child("files"), patterns, userfiles.MaxPatterns))
		}
		parsed, wrong := parsePatterns(e.Files, at.Child("files"))
		all, errs = append(all, parsed), append(errs, wrong...)
		errs = append(errs, checkTopology(e.Topology, at.Child("topology"))...)
		errs = append(errs, checkTopology(e.To, at.Child("to"))...)
	}
	return all, errs
}

func parsePatterns(patterns []string, at *field.Path) (all userfiles.Patterns, errs field.ErrorList) {
	for i, pattern := range patterns {
		parsed, wrong := userfiles.ParsePatterns([]string{pattern})
		if len(wrong) > 0 {
			errs = append(errs, field.Invalid(at.Index(i), pattern, "is not a valid .gitignore pattern"))
		}
		all = append(all, parsed...)
	}
	return all, errs
}

// missingPaths returns a note for each path of an environment that does not exist. A pattern with wildcards, or one that
// may match at any depth, can be for files of the future.
func (c configuration) missingPaths() (notes []string) {
	at := field.NewPath("environments")
	for i, e := range c.Environments {
		for j, pattern := range e.Files {
			name, anchored := strings.CutPrefix(pattern, "/")
			if !anchored || strings.ContainsAny(name, `*?[\`) ||
				disk.Exists(filepath.Join(c.dir, filepath.FromSlash(name))) {
				continue
			}
			notes = append(notes, fmt.Sprintf("note: %s: %s: %q does not exist: correct the path, or remove it",
				c.name, at.Index(i).Child("files").Index(j), pattern))
		}
	}
	return notes
}

// hasTopologies reports whether an environment has a topology of its own.
func (c Config) hasTopologies() bool {
	return slices.ContainsFunc(c.Environments, func(e Environment) bool { return e.Topology != nil })
}

// environmentsOf returns a function that returns the names of the environments of a file, in their order. It is nil if
// there are no environments.
func (c configuration) environmentsOf() func(file string) []string {
	if len(c.Environments) == 0 {
		return nil
	}
	places := map[string]string{} // resolving a directory is slow
	return func(file string) (names []string) {
		if file == stdinName {
			return nil
		}
		dir := filepath.Dir(filepath.FromSlash(file))
		at, known := places[dir]
		if !known {
			at = belowOrAbove(c.dir, dir)
			places[dir] = at
		}
		if at == "" {
			return nil
		}
		name := filepath.ToSlash(filepath.Join(at, filepath.Base(file)))
		for i, e := range c.Environments {
			if c.files[i].Covers(name) {
				names = append(names, e.Name)
			}
		}
		return names
	}
}

// belowOrAbove returns the path of a directory below another one, "" if it is not in there. Directories of a chart's
// archive do not exist, but those above them do.
func belowOrAbove(root, dir string) string {
	rest := ""
	for {
		if below, is := disk.Below(root, dir); is {
			return filepath.Join(below, rest)
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir, rest = above, filepath.Join(filepath.Base(dir), rest)
	}
}
