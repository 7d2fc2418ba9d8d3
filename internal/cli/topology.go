package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/cli/sources"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// describing has the flags and arguments of topology.
type describing struct {
	cluster clusterFlags
	version string
	write   func(io.Writer, any) error
}

// encodings are the values of the flag --format of topology.
var encodings = map[string]func(io.Writer, any) error{"yaml": encodeYAML, "json": encodeJSON}

func newTopology(in *input) *cobra.Command {
	var d describing
	var format string
	cmd := &cobra.Command{
		Use:   "topology [flags] [PATH...]",
		Short: "Describe a cluster by its nodes or by the state of a stack",
		Long: `Describe an existing cluster in the format that the --topology flag of other commands reads.

Each PATH is a file with the output of kubectl get nodes -o json or -o yaml, with the output of
pulumi stack export, or with a topology, or - for standard input, which is the default. Objects that
are not nodes are skipped. With --live, --kubeconfig or --context, the command runs the kubectl on
PATH to read the cluster; with --stack, it runs the pulumi on PATH to export the state. Notes about
the result go to standard error.

The exit code is 0, or 2 if a file cannot be read, a node cannot be described, or the command line
is wrong; then nothing is written.`,
		Example: `  mixedkube topology --live > cluster.yaml
  kubectl get nodes -o json | mixedkube topology > cluster.yaml
  mixedkube topology --stack prod --format json`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if d.write = encodings[format]; d.write == nil {
				return fmt.Errorf("--format %s: %s", format,
					fielderrors.Unknown("format", format, slices.Sorted(maps.Keys(encodings))))
			}
			d.version = kubeversion.Plain(d.version)
			if err := errors.Join(wrongOptions(preflight.Options{KubernetesVersion: d.version})...); err != nil {
				return err
			}
			source, err := d.cluster.source(in, paths)
			if err != nil {
				return err
			}
			source.ControlPlane = d.version
			return d.run(cmd.Context(), source, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	d.cluster.flags(cmd)
	in.linksFlag(cmd)
	in.timeoutFlag(cmd)
	cmd.Flags().StringVar(&d.version, "k8s", "", "the `version` of the control plane, as kubectl version prints it "+
		"(default that of a live cluster, a topology or a state, or of the newest node)")
	cmd.Flags().StringVar(&format, "format", "yaml", "the `format` of the topology: yaml or json")
	completeFlag(cmd, "format", slices.Sorted(maps.Keys(encodings))...)
	return cmd
}

func (d describing) run(ctx context.Context, source sources.Source, stdout, stderr io.Writer) error {
	p := started(stderr, "reading the cluster")
	t, notes, err := source.Read(ctx)
	p.end()
	if err != nil {
		return err
	}
	// A topology and a state may have a version of their own.
	t.KubernetesVersion = cmp.Or(t.KubernetesVersion, d.version)
	options := preflight.Options{Topology: t, KubernetesVersion: d.version}
	if err := errors.Join(wrongOptions(options)...); err != nil {
		return err
	}
	for _, note := range notes {
		printLine(stderr, "note: "+note)
	}
	return d.write(stdout, topology.Encode(t))
}

// clusterFlags choose the cluster of a command, if it is not in a file.
type clusterFlags struct {
	live                bool
	kubeconfig, context string
	stack, resource     string
}

func (f *clusterFlags) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.live, "live", false, "read the cluster of kubectl's current context")
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "the kubeconfig `file` of the cluster; implies --live")
	flags.StringVar(&f.context, "context", "", "the `context` in the kubeconfig; implies --live")
	flags.StringVar(&f.stack, "stack", "", "read the state of this Pulumi `stack`, in the project of the working "+
		"directory")
	flags.StringVar(&f.resource, "resource", "", "which cluster of a state: the `name` of its resource, or of an "+
		"output")
}

// source returns where the topology comes from: the flags, or else the files of the paths.
func (f clusterFlags) source(in *input, paths []string) (s sources.Source, err error) {
	s.Resource, s.Stack = f.resource, f.stack
	if f.isLive() {
		s.Kubectl = f.kubectl()
	}
	var set []string
	if s.Kubectl != nil {
		set = append(set, "--live")
	}
	if s.Stack != "" {
		set = append(set, "--stack")
	}
	if len(paths) > 0 {
		set = append(set, "files")
	}
	if len(set) > 1 {
		return s, errors.New(strings.Join(set, " and ") + ": use only one of them")
	}
	if len(set) == 0 {
		paths = []string{stdinPath}
	}
	s.Files = in.files(paths)
	return s, nil
}

// isLive reports whether the cluster itself is read.
func (f clusterFlags) isLive() bool { return f.live || f.kubeconfig != "" || f.context != "" }

func (f clusterFlags) kubectl() *sources.Kubectl {
	return &sources.Kubectl{Kubeconfig: f.kubeconfig, Context: f.context}
}

// files returns the files of the paths, for package sources.
func (in *input) files(paths []string) []sources.File {
	files := make([]sources.File, len(paths))
	for i, path := range paths {
		files[i] = sources.File{Name: shown(path), Open: func() (io.ReadCloser, error) { return in.open(path) }}
	}
	return files
}

func encodeYAML(w io.Writer, v any) error {
	text, err := escape.YAML(v)
	if err != nil {
		return err
	}
	return printEscaped(w, text)
}

func encodeJSON(w io.Writer, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return printEscaped(w, escape.JSON(string(text)+"\n"))
}
