package nodebinaries

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/mod/modfile"
)

const containerd = "github.com/containerd/containerd/v2"

// BuildContainerd builds containerd.exe of a version of containerd, 2.3.6 with or without a
// v, as [Build] builds the programs of Kubernetes. It is for tests: nodes get the released binary.
func BuildContainerd(ctx context.Context, o Options) error {
	return recipe{
		name: "containerd", module: containerd, version: "v" + strings.TrimPrefix(o.Version, "v"),
		requires: containerdModule,
		packages: []string{containerd + "/cmd/containerd"}, programs: []string{"containerd"},
	}.build(ctx, o)
}

// containerdModule returns a go.mod that requires containerd, and so all modules in the versions
// that containerd requires: a release of containerd has no replace directives.
func containerdModule(version string, upstream []byte) ([]byte, error) {
	parsed, err := modfile.ParseLax("go.mod of containerd "+version, upstream, nil)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "module example.com/node-binaries\n\ngo %s\n\nrequire %s %s\n", parsed.Go.Version,
		containerd, version), nil
}
