package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/cli/sources"
	"github.com/mixedkube/mixedkube/internal/clustermap"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// drawing is what the command line of map says.
type drawing struct {
	cluster  clusterFlags
	topology string
	title    string
	out      string
	options  preflight.Options
	images   known
	files    selection
	charts   charts
	paths    []string
	// configFile is the value of --config, config what is in the file.
	configFile string
	config     configuration
}

// mapFile is the default name of the picture.
const mapFile = "map.html"

func newMap(in *input) *cobra.Command {
	var d drawing
	cmd := &cobra.Command{
		Use:   "map [flags] [PATH...]",
		Short: "Draw the pools of a cluster, what lands where, and what is pending and why",
		Long: `Draw a cluster: its pools with platform, build, taints and room, the workloads where they land, and
what is pending and why. The picture is one HTML file that needs no other, or an SVG.

Each PATH is a file, a folder or a Helm chart with the workloads to draw, or - for standard input. A
file may also have what kubectl get prints with -o json, nodes and pods among it, or what pulumi stack
export prints. The pools are those of --topology, of the cluster of kubectl's current context (--live),
of a stack (--stack), of .mixedkube.yaml, or those that such a file describes. Without a PATH, --live
and --stack draw the workloads of the cluster or of the stack. The pods of a live cluster are drawn
where they are.

The exit code is 0, or 2 if something cannot be read or written, there are no pools, or the command
line is wrong; nothing is written then.`,
		Example: `  mixedkube map --topology cluster.yaml deploy/
  mixedkube map --live --out cluster.svg
  pulumi stack export | mixedkube map -`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			d.paths = paths
			return d.run(cmd.Context(), in, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&d.out, "out", "o", mapFile,
		"the `file` to write: an SVG if its name ends in .svg, HTML if in .html or .htm; - is standard output")
	completeFiles(cmd, "out", "html", "htm", "svg")
	flags.StringVar(&d.title, "title", "", "the `name` of the cluster in the picture (default that of the context or "+
		"the stack)")
	topologyFlag(cmd, &d.topology)
	configFlag(cmd, &d.configFile)
	flags.StringVar(&d.options.KubernetesVersion, "k8s", "", "the `version` of the API server, for example 1.36")
	d.cluster.flags(cmd)
	matchingFlag(cmd, &d.options.Matching)
	d.files.flag(cmd)
	d.charts.flags(cmd)
	d.images.flags(cmd)
	return cmd
}

func (d *drawing) run(ctx context.Context, in *input, stdout, stderr io.Writer) error {
	if err := d.complete(in); err != nil {
		return err
	}
	reading := started(stderr, "reading the cluster")
	defer reading.end()
	drawn, problems := d.objects(ctx, in)
	var noted string
	if len(problems) == 0 {
		var err error
		if d.options.Topology, noted, err = d.pools(ctx, in, drawn); err != nil {
			problems = []error{err}
		}
	}
	reading.end()
	printProblems(stderr, problems)
	if len(problems) > 0 {
		return unusable
	}
	printLines(stderr, d.charts.notes)
	fmt.Fprint(stderr, noted)
	if drawn.Others > 0 {
		fmt.Fprintf(stderr, "skipped: %s without apiVersion or kind\n", fielderrors.Count(drawn.Others, "document"))
	}
	if err := errors.Join(wrongOptions(d.options)...); err != nil {
		return err
	}
	used := newReferences()
	used.add(drawn.Objects...)
	if problems = d.images.complete(ctx, in, used.sorted(), stderr); len(problems) > 0 {
		printProblems(stderr, problems)
		return unusable
	}
	d.options.Images = d.images.lock

	placing := started(stderr, "placing "+fielderrors.Count(len(drawn.Objects), "object"))
	defer placing.end()
	m := clustermap.New(clustermap.Source{
		Title: cmp.Or(d.title, d.cluster.context, d.cluster.stack), From: d.from(), Options: d.options,
		Objects: drawn.Objects, Nodes: drawn.nodes, Live: d.cluster.isLive() && len(d.paths) == 0,
	})
	m.Notes = append(m.Notes, drawn.Notes...)
	placing.end()
	return d.write(m, stdout, stderr)
}

// complete reads configuration and images, and returns all that is wrong with the command line.
func (d *drawing) complete(in *input) error {
	var errs []error
	if d.cluster.isLive() && d.cluster.stack != "" {
		errs = append(errs, errors.New("--live and --stack: use one of them"))
	}
	if len(d.paths) == 0 && !d.cluster.isLive() && d.cluster.stack == "" && d.topology == "" {
		errs = append(errs,
			errors.New("nothing to draw: name files or folders, or - for standard input, or use --live or --stack"))
	}
	var err error
	if d.config, err = in.configuration(d.configFile); err != nil {
		errs = append(errs, err)
	}
	switch strings.ToLower(filepath.Ext(d.out)) {
	case "", ".html", ".htm", ".svg":
	default:
		errs = append(errs, fmt.Errorf("--out %s: the picture is HTML or SVG: end the name in .html, .htm or .svg",
			shown(d.out)))
	}
	return errors.Join(append(errs, d.images.read(), d.files.complete(d.config))...)
}

// drawn is what is drawn.
type drawn struct {
	sources.Contents
	nodes []corev1.Node
}

// objects reads what is to be drawn: what the paths have, or what the cluster or the stack has.
func (d *drawing) objects(ctx context.Context, in *input) (read drawn, problems []error) {
	switch {
	case len(d.paths) > 0:
		read.Contents, problems = d.ofPaths(ctx, in)
	case d.cluster.isLive():
		read.Contents, problems = d.cluster.kubectl().Contents(ctx)
	case d.cluster.stack != "":
		state, err := sources.ExportStack(ctx, d.cluster.stack)
		if err != nil {
			return read, []error{err}
		}
		read.Contents = state.Contents()
	}
	if len(problems) == 0 {
		read.nodes, problems = sources.Nodes(read.Objects)
	}
	return read, problems
}

// ofPaths reads the files of the paths, charts rendered.
func (d *drawing) ofPaths(ctx context.Context, in *input) (all sources.Contents, problems []error) {
	problems = d.charts.render(ctx, d.paths, d.options.KubernetesVersion)
	in.charts = &d.charts
	files, more := in.listed(d.paths, d.files.skips(&d.charts))
	problems = append(problems, more...)
	for _, file := range in.files(files) {
		read, errs := file.ReadContents()
		problems = append(problems, errs...)
		all.Objects = append(all.Objects, read.Objects...)
		all.Notes = append(all.Notes, read.Notes...)
		all.Others += read.Others
		if all.State == nil {
			all.State = read.State
		}
	}
	return all, problems
}

// pools are those of the cluster, from the first of these that is given: the file of --topology, the
// cluster, the stack, the configuration, or what is drawn. The notes about it are lines of one text.
func (d *drawing) pools(ctx context.Context, in *input, read drawn) (t topology.Topology, noted string, err error) {
	var notes []string
	var said strings.Builder
	source := sources.Source{ControlPlane: d.options.KubernetesVersion, Resource: d.cluster.resource}
	switch {
	case d.topology != "":
		source.Files = in.files([]string{d.topology})
		t, notes, err = source.Read(ctx)
	case d.cluster.isLive():
		source.Kubectl = d.cluster.kubectl()
		t, notes, err = source.Read(ctx)
	case d.cluster.stack != "" && len(d.paths) > 0:
		source.Stack = d.cluster.stack
		t, notes, err = source.Read(ctx)
	case d.config.Topology != nil && d.cluster.stack == "":
		t, _, err = in.topology(ctx, "", d.config, &said)
	case read.State != nil:
		t, notes, err = read.State.Topology(d.cluster.resource)
	case len(read.nodes) > 0:
		t, notes, err = source.Describe(read.nodes)
	}
	if err == nil && len(t.Pools) == 0 {
		err = errors.New("no pools: name a file with --topology, or use --live or --stack")
	}
	for _, note := range notes {
		fmt.Fprintln(&said, oneLine("note: "+note))
	}
	return t, said.String(), err
}

// from says where the map is from.
func (d *drawing) from() string {
	var parts []string
	if d.topology != "" {
		parts = append(parts, shown(d.topology))
	}
	switch {
	case d.cluster.context != "":
		parts = append(parts, "the cluster of the context "+d.cluster.context)
	case d.cluster.isLive():
		parts = append(parts, "kubectl's current cluster")
	case d.cluster.stack != "":
		parts = append(parts, "the stack "+d.cluster.stack)
	}
	for _, path := range d.paths {
		parts = append(parts, shown(path))
	}
	if n := len(parts); n > 1 {
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return strings.Join(parts, "")
}

// write writes the picture, and says what is in it.
func (d *drawing) write(m *clustermap.Map, stdout, stderr io.Writer) error {
	draw := m.HTML
	if strings.EqualFold(filepath.Ext(d.out), ".svg") {
		draw = m.SVG
	}
	var text strings.Builder
	if err := draw(&text); err != nil {
		return err
	}
	if d.out == stdoutPath {
		_, err := io.WriteString(stdout, text.String())
		return err
	}
	if err := os.WriteFile(d.out, []byte(text.String()), 0o644); err != nil { //nolint:gosec // a picture to be shown
		return err
	}
	fmt.Fprintf(stderr, "drawn: %s, %s, %d pending: %s\n", fielderrors.Count(len(m.Pools), "pool"),
		fielderrors.Count(len(m.Workloads), "workload"), len(m.Pending), oneLine(shown(d.out)))
	return nil
}
