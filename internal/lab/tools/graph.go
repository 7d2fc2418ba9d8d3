package tools

import (
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// workspace is the file of the tools that are built together.
const workspace = "shared.work"

// VersionsVariable is the name of an environment variable. If its value is [Released],
// each tool is built separately with the module versions of its release.
const VersionsVariable = "MIXEDKUBE_TOOLS_VERSIONS"

// Released is the value of [VersionsVariable].
const Released = "released"

// graph is where go finds the versions of the modules that a tool is built from:
// a workspace, or a module file. The directory is below internal/lab/tools.
type graph struct{ dir, work, modfile string }

func (t tool) graph(released bool) graph {
	switch {
	case t.shared && !released:
		return graph{dir: ".", work: workspace}
	case t.raised && released:
		return graph{
			dir:     t.dir,
			modfile: strings.TrimSuffix(cmp.Or(t.modfile, "go.mod"), ".mod") + ".released.mod",
		}
	default:
		return graph{dir: t.dir, modfile: t.modfile}
	}
}

// environ returns the variable that makes go use the graph; tools is the directory internal/lab/tools.
func (g graph) environ(tools string) string {
	if g.work == "" {
		return "GOWORK=off"
	}
	return "GOWORK=" + filepath.Join(tools, g.work)
}

// files returns the names of the files that the graph consists of. They may or may not
// exist.
func (g graph) files(tools fs.FS) ([]string, error) {
	if g.work == "" {
		return moduleFiles(path.Join(g.dir, g.modfile), g.modfile == ""), nil
	}
	content, err := fs.ReadFile(tools, g.work)
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(g.work, content, nil)
	if err != nil {
		return nil, err
	}
	names := []string{g.work, g.work + ".sum"}
	for _, use := range work.Use {
		names = append(names, moduleFiles(path.Clean(use.Path), true)...)
	}
	return names, nil
}

// moduleFiles returns a module file, which may be that of a directory, and its file of checksums.
func moduleFiles(name string, isDir bool) []string {
	if isDir {
		name = path.Join(name, "go.mod")
	}
	return []string{name, strings.TrimSuffix(name, ".mod") + ".sum"}
}
