package cli

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// topologyFlag adds the flag that names the file with the pools of a cluster.
func topologyFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "topology", "", "a `file` with the pools of the cluster: "+
		"a topology, or the output of kubectl get nodes -o json or of pulumi stack export")
	completeFiles(cmd, "topology", "yaml", "yml", "json")
}

// toFlag adds the flag that names the planned topology.
func toFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "to", "", "a `file` with the pools that the cluster will have, as for --topology: "+
		"what the change strands is an error")
	completeFiles(cmd, "to", "yaml", "yml", "json")
}

// matchingFlag adds the flag that sets how strictly the releases of images must match.
func matchingFlag(cmd *cobra.Command, matching *platform.Matching) {
	cmd.Flags().StringVar((*string)(matching), "matching", "",
		"how the Windows `release` of an image must match that of its node: strict or relaxed (default that of "+
			"the topology, or strict)")
	completeFlag(cmd, "matching", matchings()...)
}

// horizonFlag adds the flag that sets how early the end of a cloud's support is reported.
func horizonFlag(cmd *cobra.Command, days *int) {
	cmd.Flags().IntVar(days, "horizon", 0, "how many `days` before the end of AKS' support of a Windows release its "+
		"pools are reported, for a topology with the cloud aks (default two years)")
}

// wrongOptions returns what is wrong with the options of preflight that flags have set.
func wrongOptions(o preflight.Options) []error {
	flags := map[string]string{
		"kubernetesVersion": "--k8s", "matching": "--matching", "horizon": "--horizon", "topology": "--topology",
	}
	var errs []error
	for _, err := range o.Validate(nil) {
		errs = append(errs, fmt.Errorf("%s: %s", cmp.Or(flags[err.Field], err.Field), err.ErrorBody()))
	}
	return errs
}

// document decodes the only document of a YAML file. The error has everything that is wrong, each with its line.
func (in *input) document(path, what string, decode func(value any) field.ErrorList) error {
	name := shown(path)
	file, err := in.open(path)
	if err != nil {
		return disk.Named(name, err)
	}
	defer func() { _ = file.Close() }()
	return manifests.DecodeOne(file, name, what, decode)
}
