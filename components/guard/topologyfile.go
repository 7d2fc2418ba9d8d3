package guard

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// readTopology sets the topology to that of the file, if the arguments name one.
func (a *Args) readTopology() (field.ErrorList, []fielderrors.At) {
	t, errs, others := userfiles.TopologyArgument(a.TopologyFile, a.Topology.IsSet())
	if a.TopologyFile != "" && len(errs)+len(others) == 0 {
		a.Topology = t
	}
	return errs, others
}
