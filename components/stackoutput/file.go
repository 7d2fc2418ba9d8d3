package stackoutput

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// ReadTopologyFile reads the topology in a file, for the arguments of components. `mixedkube topology --live` and
// `pulumi stack output topology --json` write such a file. The path is relative to the directory of the program. The
// error lists everything that is wrong in the file, each with its line. The guard reads the file itself: see
// guard.Args.TopologyFile.
func ReadTopologyFile(path string) (topology.Topology, error) {
	t, errs, others := userfiles.TopologyArgument(path, false)
	if path == "" {
		errs = append(errs, field.Required(field.NewPath("path"), "name a file with a topology"))
	}
	return t, fielderrors.Join("stackoutput.ReadTopologyFile", errs, others...)
}
