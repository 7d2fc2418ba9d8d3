package guard

import (
	"errors"
	"io/fs"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/manifests"
)

// readTopology sets the topology to that of the file, if the arguments name one.
func (a *Args) readTopology() (field.ErrorList, error) {
	path := field.NewPath("topologyFile")
	switch {
	case a.TopologyFile == "":
		return nil, nil
	case a.Topology.IsSet():
		return field.ErrorList{field.Forbidden(path, "the topology is set as well: remove one of them")}, nil
	}
	t, err := manifests.ReadTopology(a.TopologyFile)
	if errors.Is(err, fs.ErrNotExist) {
		return field.ErrorList{field.Invalid(path, a.TopologyFile,
			"there is no such file: write it with mixedkube topology --live > "+a.TopologyFile)}, nil
	}
	a.Topology = t
	return nil, err
}
