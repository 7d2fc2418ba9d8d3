package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/cli/sources"
	"github.com/mixedkube/mixedkube/internal/clustermap"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/system/clock"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// drawing has the flags and arguments of map.
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
	// configFile is the value of --config, config the content of the file.
	configFile string
	config     configuration
}

// mapFile is the default name of the picture.
const mapFile = "map.html"

func newMap(in *input) *cobra.Command {
	var d drawing
	cmd := &cobra.Command{
		Use:   "map [flags] [PATH...]",
		Short: "Draw the pools of a cluster, where its workloads run, and why some are pending",
		Long: `Draw a cluster: its pools with platform, build, taints and free capacity, the workloads on the pools
where they can run, and the pending pods with the reason. The result is a single HTML file, or an SVG.

Each PATH is a file, a directory or a Helm chart with the workloads to draw, or - for standard input. A
file can also be the output of kubectl get -o json, including nodes and pods, or of pulumi stack
export. The pools come from --topology, from the cluster of kubectl's current context (--live), from a
stack (--stack), from .mixedkube.yaml, or from such a file. Without a PATH, --live and --stack draw the
workloads of the cluster or of the stack. The map shows the pods of a live cluster on their nodes.

The exit code is 0, or 2 if a file cannot be read or written, there are no pools, or the command line
is wrong; then nothing is written.`,
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
	flags.StringVar(&d.title, "title", "", "the `name` of the cluster in the picture (default the name of the context "+
		"or the stack)")
	topologyFlag(cmd, &d.topology)
	configFlag(cmd, &d.configFile)
	in.linksFlag(cmd)
	in.timeoutFlag(cmd)
	flags.StringVar(&d.options.KubernetesVersion, "k8s", "", "the `version` of the API server, for example 1.36")
	d.cluster.flags(cmd)
	matchingFlag(cmd, &d.options.Matching)
	horizonFlag(cmd, &d.options.Horizon)
	d.files.flag(cmd)
	d.charts.flags(cmd)
	d.images.flags(cmd)
	return cmd
}

func (d *drawing) run(ctx context.Context, in *input, stdout, stderr io.Writer) error {
	if err := d.complete(in, stderr); err != nil {
		return err
	}
	reading := started(stderr, "reading the cluster")
	defer reading.end()
	contents, problems := d.objects(ctx, in)
	var noted string
	if len(problems) == 0 {
		var err error
		if d.options.Topology, noted, err = d.pools(ctx, in, contents); err != nil {
			problems = []error{err}
		}
	}
	reading.end()
	printProblems(stderr, problems)
	if len(problems) > 0 {
		return unusable
	}
	printLines(stderr, d.charts.notes)
	printText(stderr, d.charts.below.String())
	printText(stderr, noted)
	if contents.Others > 0 {
		printLine(stderr, fmt.Sprintf("skipped: %s without apiVersion or kind",
			fielderrors.Count(contents.Others, "document")))
	}
	if err := errors.Join(wrongOptions(d.options)...); err != nil {
		return err
	}
	used := newReferences()
	used.add(contents.Objects...)
	if problems = d.images.complete(ctx, in, used.sorted(), stderr); len(problems) > 0 {
		printProblems(stderr, problems)
		return unusable
	}
	d.options.Images = d.images.lock

	placing := started(stderr, "placing "+fielderrors.Count(len(contents.Objects), "object"))
	defer placing.end()
	m := clustermap.New(clustermap.Source{
		Title: cmp.Or(d.title, d.cluster.context, d.cluster.stack), From: d.from(), Options: d.options,
		Objects: contents.Objects, Nodes: contents.nodes, Live: d.cluster.isLive() && len(d.paths) == 0,
	})
	m.Notes = append(append(m.Notes, contents.Notes...), d.ofTopology(stderr)...)
	placing.end()
	return d.write(m, stdout, stderr)
}

// ofTopology writes the findings about the topology itself, and returns those that the configuration does not ignore as
// notes for the map.
func (d *drawing) ofTopology(stderr io.Writer) (notes []string) {
	d.options.Today = clock.Today()
	policy := d.config.policy(nil)
	for _, f := range clusterFindings(d.options, placeOfTopology{}, d.config.Severities, policy) {
		how := colorsOf(stderr).finding(f.Finding, severity(f))
		_ = printEscaped(stderr, how+escape.Line(": "+f.Key()+": "+f.String())+"\n")
		if !f.Suppressed {
			notes = append(notes, string(f.Severity)+": "+f.String())
		}
	}
	return notes
}

// complete reads the configuration and the lock file, and returns all errors of the command line.
func (d *drawing) complete(in *input, stderr io.Writer) error {
	var errs []error
	if d.cluster.isLive() && d.cluster.stack != "" {
		errs = append(errs, errors.New("--live and --stack: use only one of them"))
	}
	if len(d.paths) == 0 && !d.cluster.isLive() && d.cluster.stack == "" && d.topology == "" {
		errs = append(errs,
			errors.New("nothing to draw: name files or directories, or - for standard input, or use --live or --stack"))
	}
	var err error
	if d.config, err = in.configuration(d.configFile, stderr); err != nil {
		errs = append(errs, err)
	}
	switch strings.ToLower(filepath.Ext(d.out)) {
	case "", ".html", ".htm", ".svg":
	default:
		errs = append(errs, fmt.Errorf("--out %s: the picture is HTML or SVG: end the name in .html, .htm or .svg",
			shown(d.out)))
	}
	if d.out != stdoutPath {
		errs = append(errs, disk.CheckReplace(d.out))
	}
	return errors.Join(append(errs, d.images.read(in, stderr), d.files.complete(d.config))...)
}

// contents are the objects to draw.
type contents struct {
	sources.Contents
	nodes []corev1.Node
}

// objects reads the objects to draw: from the paths, the cluster or the stack.
func (d *drawing) objects(ctx context.Context, in *input) (read contents, problems []error) {
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

// ofPaths reads the files of the paths, and the rendered templates of charts.
func (d *drawing) ofPaths(ctx context.Context, in *input) (all sources.Contents, problems []error) {
	problems = d.charts.render(ctx, in, d.paths, d.options.KubernetesVersion)
	in.charts = &d.charts
	files, more := in.listed(d.paths, d.files.skips(in, &d.charts))
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

// pools returns the pools of the cluster, from the first of these that is set: the file of --topology, the cluster, the
// stack, the configuration, or the objects to draw. The notes about it are lines of one text.
func (d *drawing) pools(ctx context.Context, in *input, read contents) (t topology.Topology, noted string, err error) {
	var notes []string
	var written strings.Builder
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
		t, _, err = in.topology(ctx, "", d.config, &written)
	case read.State != nil:
		t, notes, err = read.State.Topology(d.cluster.resource)
	case len(read.nodes) > 0:
		t, notes, err = source.Describe(read.nodes)
	}
	if err == nil && len(t.Pools) == 0 {
		err = errors.New("no pools: name a file with --topology, or use --live or --stack")
	}
	for _, note := range notes {
		printLine(&written, "note: "+note)
	}
	return t, written.String(), err
}

// from describes where the map is from.
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

// write writes the picture, and a summary of it.
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
		return printEscaped(stdout, text.String())
	}
	if err := disk.Replace(d.out, []byte(text.String()), 0o644); err != nil {
		return err
	}
	printLine(stderr, fmt.Sprintf("drawn: %s, %s, %d pending: %s", fielderrors.Count(len(m.Pools), "pool"),
		fielderrors.Count(len(m.Workloads), "workload"), len(m.Pending), shown(d.out)))
	return nil
}
