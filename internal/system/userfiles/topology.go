package userfiles

import (
	"errors"
	"fmt"
	"io/fs"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// TopologyArgument reads the file that an argument topologyFile names, instead of an argument topology. Both the guard
// and the plugin have it. Mistakes of the argument are field errors, and those in the file have its name and lines.
func TopologyArgument(file string, topologyIsSet bool) (topology.Topology, field.ErrorList, []fielderrors.At) {
	path := field.NewPath("topologyFile")
	switch {
	case file == "":
		return topology.Topology{}, nil, nil
	case topologyIsSet:
		return topology.Topology{}, field.ErrorList{
			field.Forbidden(path, "the topology is set as well: remove one of them"),
		}, nil
	}
	t, err := Decode(file, manifests.DecodeTopology)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, field.ErrorList{field.Invalid(path, file,
			"there is no such file: write it with mixedkube topology --live > "+file)}, nil
	case err != nil:
		return t, nil, []fielderrors.At{{Path: path.String(), Err: fmt.Errorf("%s: %w", path, err)}}
	}
	return t, nil, nil
}
