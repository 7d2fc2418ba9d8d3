package manifests

import (
	"io"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/topology"
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

func topologyInto(t *topology.Topology) func(value any) field.ErrorList {
	return func(value any) (errs field.ErrorList) {
		*t, errs = topology.Decode(value, nil)
		return errs
	}
}
