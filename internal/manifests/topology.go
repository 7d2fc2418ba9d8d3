package manifests

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// DecodeTopology reads the topology in a YAML or JSON file. The error has everything that is wrong, each with its line.
func DecodeTopology(r io.Reader, name string) (t topology.Topology, err error) {
	err = DecodeOne(r, name, "topology", topologyInto(&t))
	return t, err
}

// ReadTopology is [DecodeTopology] for the file at a path. If there is none, the error wraps [fs.ErrNotExist].
func ReadTopology(path string) (t topology.Topology, err error) {
	err = DecodeFile(path, "topology", topologyInto(&t))
	return t, err
}

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
	t, err := ReadTopology(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, field.ErrorList{field.Invalid(path, file,
			"there is no such file: write it with mixedkube topology --live > "+file)}, nil
	case err != nil:
		return t, nil, []fielderrors.At{{Path: path.String(), Err: fmt.Errorf("%s: %w", path, err)}}
	}
	return t, nil, nil
}

func topologyInto(t *topology.Topology) func(value any) field.ErrorList {
	return func(value any) (errs field.ErrorList) {
		*t, errs = topology.Decode(value, nil)
		return errs
	}
}
