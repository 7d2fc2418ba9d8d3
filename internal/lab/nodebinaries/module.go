package nodebinaries

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/mod/modfile"
)

const (
	kubernetes = "k8s.io/kubernetes"
	// staging is where Kubernetes keeps the modules that it publishes with each release.
	staging = "./staging/src/"
)

var versionFormat = regexp.MustCompile(`^v1\.(\d+\.\d+(-[a-z0-9.]+)?)$`)

// module is a go.mod that requires a version of Kubernetes, by what that version's own
// go.mod says. The same modules are built as by Kubernetes itself, in the same versions: in
// place of the folders of its repository stand the modules that are published from them.
func module(version string, upstream []byte) ([]byte, error) {
	at := versionFormat.FindStringSubmatch(version)
	if at == nil {
		return nil, fmt.Errorf("%q is not a version of Kubernetes: write 1.36.3", strings.TrimPrefix(version, "v"))
	}
	theirs, err := modfile.Parse("go.mod of Kubernetes "+version, upstream, nil)
	if err != nil {
		return nil, err
	}
	var ours modfile.File
	steps := []error{
		ours.AddModuleStmt("example.com/node-binaries"),
		ours.AddGoStmt(theirs.Go.Version),
		ours.AddRequire(kubernetes, version),
	}
	for _, r := range theirs.Replace {
		if strings.HasPrefix(r.New.Path, staging) {
			steps = append(steps, ours.AddReplace(r.Old.Path, "", r.Old.Path, "v0."+at[1]))
		}
	}
	for _, err := range steps {
		if err != nil {
			return nil, err
		}
	}
	return ours.Format()
}
