package nodebinaries

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/mod/modfile"
)

const (
	kubernetes = "k8s.io/kubernetes"
	// staging is the directory in which Kubernetes has the modules that it publishes with each release.
	staging = "./staging/src/"
)

var versionFormat = regexp.MustCompile(`^v1\.(\d+\.\d+(-[a-z0-9.]+)?)$`)

// module returns a go.mod that requires a version of Kubernetes, based on that version's own
// go.mod. The build has the same modules as Kubernetes itself, in the same versions: the
// modules published from the directories of its repository replace these directories.
func module(version string, upstream []byte) ([]byte, error) {
	at := versionFormat.FindStringSubmatch(version)
	if at == nil {
		return nil, fmt.Errorf("%q is not a version of Kubernetes: write 1.36.3", strings.TrimPrefix(version, "v"))
	}
	parsed, err := modfile.Parse("go.mod of Kubernetes "+version, upstream, nil)
	if err != nil {
		return nil, err
	}
	var generated modfile.File
	steps := []error{
		generated.AddModuleStmt("example.com/node-binaries"),
		generated.AddGoStmt(parsed.Go.Version),
		generated.AddRequire(kubernetes, version),
	}
	for _, r := range parsed.Replace {
		if strings.HasPrefix(r.New.Path, staging) {
			steps = append(steps, generated.AddReplace(r.Old.Path, "", r.Old.Path, "v0."+at[1]))
		}
	}
	for _, err := range steps {
		if err != nil {
			return nil, err
		}
	}
	return generated.Format()
}
