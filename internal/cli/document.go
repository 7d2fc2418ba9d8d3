package cli

import (
	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/manifests"
)

// topologyFlag adds the flag that names the file with the pools of a cluster.
func topologyFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "topology", "", "a YAML `file` that says which pools the cluster has")
}

// topology reads a file with what a stack's configuration has as its cluster.
func (in *input) topology(path string) (t topology.Topology, err error) {
	err = in.document(path, "topology", func(value any) field.ErrorList {
		var invalid field.ErrorList
		t, invalid = topology.Decode(value, nil)
		return invalid
	})
	return t, err
}

// document decodes the one document of a YAML file. The error has everything that is wrong, each
// with its line.
func (in *input) document(path, what string, decode func(value any) field.ErrorList) error {
	name := shown(path)
	file, err := in.open(path)
	if err != nil {
		return manifests.Named(name, err)
	}
	defer func() { _ = file.Close() }()
	return manifests.DecodeOne(file, name, what, decode)
}
