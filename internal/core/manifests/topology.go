package manifests

import (
	"io"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
)

// DecodeTopology reads the topology in a YAML or JSON file. The error has everything that is wrong, each with its line.
func DecodeTopology(r io.Reader, name string) (t topology.Topology, err error) {
	err = DecodeOne(r, name, "topology", func(value any) (errs field.ErrorList) {
		t, errs = topology.Decode(value, nil)
		return errs
	})
	return t, err
}
