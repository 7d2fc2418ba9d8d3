package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/manifest/conversion"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// describing is what the command line of topology says.
type describing struct {
	version string
	write   func(io.Writer, any) error
	paths   []string
}

// encodings are the values of the flag --format of topology.
var encodings = map[string]func(io.Writer, any) error{"yaml": encodeYAML, "json": encodeJSON}

func newTopology(in *input) *cobra.Command {
	var d describing
	var format string
	cmd := &cobra.Command{
		Use:   "topology [flags] [PATH...]",
		Short: "Describe a cluster by its nodes",
		Long: `Describe a cluster that exists by its nodes, as the file that --topology of the other commands reads.

Each PATH is a file with what kubectl get nodes prints with -o json or -o yaml, or - for standard
input, which is the default. Objects that are not nodes are skipped. What to look at in the result
is on standard error.

The exit code is 0, or 2 if something cannot be read, a node cannot be described or the command
line is wrong; nothing is written then.`,
		Example: `  kubectl get nodes -o json | mixedkube topology > cluster.yaml
  mixedkube topology --k8s v1.36.3 nodes.json`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			d.paths = paths
			if len(paths) == 0 {
				d.paths = []string{stdinPath}
			}
			if d.write = encodings[format]; d.write == nil {
				return fmt.Errorf("--format %s: %s", format,
					fielderrors.Unknown("format", format, slices.Sorted(maps.Keys(encodings))))
			}
			return d.run(in, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&d.version, "k8s", "",
		"the `version` of the control plane, as kubectl version says it (default that of the newest node)")
	cmd.Flags().StringVar(&format, "format", "yaml", "the `format` of the topology: yaml or json")
	return cmd
}

func (d describing) run(in *input, stdout, stderr io.Writer) error {
	var nodes []corev1.Node
	var problems []error
	for _, path := range d.paths {
		read, errs := in.nodes(path)
		nodes, problems = append(nodes, read...), append(problems, errs...)
	}
	if len(problems) > 0 {
		return errors.Join(problems...)
	}
	if len(nodes) == 0 {
		return errors.New("no nodes: give what kubectl get nodes -o json prints")
	}
	t, notes, errs := topology.FromNodes(nodes, d.version)
	for _, err := range errs {
		problems = append(problems, err)
	}
	if len(problems) > 0 {
		return errors.Join(problems...)
	}
	for _, note := range notes {
		fmt.Fprintln(stderr, oneLine("note: "+note))
	}
	return d.write(stdout, topology.Encode(t))
}

// nodes are the nodes of a file.
func (in *input) nodes(path string) (nodes []corev1.Node, problems []error) {
	objects, _, problems := in.objects(path)
	for _, o := range objects {
		if o.tree["kind"] != "Node" || o.tree["apiVersion"] != "v1" {
			continue
		}
		var node corev1.Node
		text, err := json.Marshal(o.tree)
		if err == nil {
			err = json.Unmarshal(text, &node)
		}
		if err != nil {
			_, _, name := conversion.Names(o.tree)
			problems = append(problems,
				fmt.Errorf("%s: Node/%s: not a node as the API server prints it: %w", o.file, name, err))
			continue
		}
		nodes = append(nodes, node)
	}
	return nodes, problems
}

func encodeYAML(w io.Writer, v any) error {
	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	if err := encoder.Encode(v); err != nil {
		return err
	}
	return encoder.Close()
}

func encodeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
