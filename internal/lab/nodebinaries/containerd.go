package nodebinaries

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

const containerd = "github.com/containerd/containerd/v2"

// BuildContainerd builds containerd.exe in a version of containerd, 2.3.6 with or without a
// v, as [Build] builds the programs of Kubernetes. It is for tests: nodes get the release.
func BuildContainerd(ctx context.Context, o Options) error {
	version := "v" + strings.TrimPrefix(o.Version, "v")
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return err
	}
	source, err := os.MkdirTemp("", "node-binaries-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(source) }()
	upstream, err := download(ctx, source, containerd, version)
	if err != nil {
		return err
	}
	file, err := containerdModule(version, upstream)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(source, "go.mod"), file, 0o600); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // programs are for everybody
		return err
	}
	fmt.Fprintf(o.Out, "building containerd %s for Windows nodes, which takes minutes the first time\n", version)
	if err := compile(ctx, source, dir, "", containerd+"/cmd/containerd"); err != nil {
		return err
	}
	return printSums(o.Out, dir, []string{"containerd"})
}

// containerdModule is a go.mod that requires containerd, and so all modules in the versions
// that it names: a release of it replaces none.
func containerdModule(version string, upstream []byte) ([]byte, error) {
	theirs, err := modfile.ParseLax("go.mod of containerd "+version, upstream, nil)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "module example.com/node-binaries\n\ngo %s\n\nrequire %s %s\n", theirs.Go.Version,
		containerd, version), nil
}
