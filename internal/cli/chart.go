package cli

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// charts are the Helm charts among the paths of a command line, and the options to render them with.
type charts struct {
	helm

	includeTests bool

	// done are the rendered charts by their paths.
	done map[string]rendered
	// notes are the messages of helm about the charts, and the parts that are left out.
	notes []string
	// below are the charts below directories, which are not rendered.
	below left
}

// rendered is a rendered chart: the names of its parts in the order of helm, one for each template.
type rendered struct {
	names []string
	parts map[string]part
}

// part is a rendered template: its path inside the chart, and its text.
type part struct {
	inside string
	text   []byte
}

func (c *charts) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&c.values, "values", nil, "a YAML `file` with values of the charts; "+
		"can be repeated, and the last one takes precedence")
	flags.StringArrayVar(&c.set, "set", nil, "values of the charts, in the syntax of helm: `KEY=VALUE`; "+
		"can be repeated")
	flags.StringArrayVar(&c.setString, "set-string", nil, "as --set, for values that are strings: `KEY=VALUE`")
	flags.StringVar(&c.namespace, "namespace", "", "the `namespace` of the charts' release")
	flags.StringVar(&c.release, "release-name", "", "the `name` of the charts' release")
	flags.BoolVar(&c.includeTests, "include-tests", false,
		"include the test hooks of charts, which only helm test runs")
}

// isNamed reports whether a directory is a chart that has been rendered.
func (c *charts) isNamed(dir string) bool {
	for p := range c.done {
		if filepath.ToSlash(filepath.Clean(p)) == dir {
			return true
		}
	}
	return false
}

// isChart reports whether a path is a Helm chart: a directory with a Chart.yaml, or an archive.
func (in *input) isChart(path string) bool {
	if path == stdinPath {
		return false
	}
	info, err := in.access.Stat(path)
	if err != nil {
		return false
	}
	if info.IsDir() {
		info, err = in.access.Stat(filepath.Join(path, "Chart.yaml"))
		return err == nil && info.Mode().IsRegular()
	}
	return info.Mode().IsRegular() && isArchive(path)
}

// render renders the charts among the paths for a cluster with a version of Kubernetes ("" if it is not known).
func (c *charts) render(
	ctx context.Context, in *input, paths []string, kubernetesVersion string,
) (problems []error) {
	c.done = map[string]rendered{}
	for _, p := range paths {
		if _, again := c.done[p]; again || !in.isChart(p) {
			continue
		}
		c.done[p] = rendered{}
		text, messages, err := c.template(ctx, &in.access, p, kubernetesVersion)
		for _, line := range messages {
			c.notes = append(c.notes, fmt.Sprintf("%s: helm: %s", shown(p), line))
		}
		if err == nil {
			c.done[p], err = c.split(shown(p), text)
		}
		if err == nil && strings.TrimSpace(text) == "" {
			c.notes = append(c.notes, shown(p)+": is a Helm chart that renders no objects with these values")
		}
		if err != nil {
			problems = append(problems, manifests.Flat([]error{err})...)
		}
	}
	if flags := c.explicit(); len(c.done) == 0 && flags != "" {
		problems = append(problems, fmt.Errorf("%s: no path is a Helm chart, "+
			"a directory with Chart.yaml or an archive", flags))
	}
	return problems
}

// source is the comment that helm writes before each rendered template, and that ends a document.
const source = "---\n# Source: "

// split splits the output of helm. The name of a part is the path of its template below the chart: the path in helm's
// comment without the name of the chart.
func (c *charts) split(chart string, text string) (rendered, error) {
	r := rendered{parts: map[string]part{}}
	tests := 0
	for i, doc := range strings.Split("\n"+text, "\n"+source) {
		first, _, _ := strings.Cut(doc, "\n")
		if i == 0 && strings.TrimSpace(doc) == "" {
			continue
		}
		_, inside, ok := strings.Cut(strings.TrimSpace(first), "/")
		if i == 0 || !ok || !filepath.IsLocal(inside) || inside != path.Clean(inside) {
			return r, fmt.Errorf("%s: helm has written text without the name of a template: %q", chart, first)
		}
		name := path.Join(chart, inside)
		if !c.includeTests && isTestOnly(name, inside, source+doc) {
			tests++
			continue
		}
		one, again := r.parts[name]
		if !again {
			r.names, one.inside = append(r.names, name), inside
		}
		one.text = append(append(one.text, source+strings.TrimRight(doc, "\n")...), '\n')
		r.parts[name] = one
	}
	if tests > 0 {
		c.notes = append(c.notes, fmt.Sprintf("%s: left out: %s, which only helm test runs: add --include-tests",
			chart, fielderrors.Count(tests, "test hook")))
	}
	return r, nil
}

// isTestOnly reports whether the whole document of a template is only for helm test. Reading the part later reports
// errors in it.
func isTestOnly(file, template, text string) (testOnly bool) {
	if isCRD(template) {
		return false // helm creates it whatever its annotations are
	}
	docs, _ := manifests.ReadYAML(strings.NewReader(text), file)
	for _, doc := range docs {
		if doc.IsItem() {
			return false // helm looks at the list
		}
		object := tree.Map(doc.Value)
		events := hookEvents(object)
		if len(events) == 0 || slices.ContainsFunc(events, func(e string) bool { return !isTest(e) }) {
			return false
		}
		testOnly = true
	}
	return testOnly
}

// isCRD reports whether helm reads a file of a chart, or of a chart in it, as custom resource definitions.
func isCRD(inside string) bool {
	for {
		below, is := strings.CutPrefix(inside, "charts/")
		if !is {
			return strings.HasPrefix(inside, "crds/")
		}
		_, inside, _ = strings.Cut(below, "/")
	}
}

// hookAnnotation makes an object of a chart a hook: Helm creates it at these events, and waits for
// it if it is a Job or a Pod. See https://helm.sh/docs/topics/charts_hooks/.
const hookAnnotation = "helm.sh/hook"

// hookEvents returns the events at which Helm creates an object. It is empty if the object is not a hook.
func hookEvents(object map[string]any) []string {
	text, _ := tree.Text(tree.Map(tree.Map(object["metadata"])["annotations"])[hookAnnotation])
	var events []string
	for event := range strings.SplitSeq(text, ",") {
		if event = strings.ToLower(strings.TrimSpace(event)); event != "" {
			events = append(events, event)
		}
	}
	return events
}

// isTest reports whether an event is one of helm test; Helm 2 had two names for it.
func isTest(event string) bool {
	return event == "test" || event == "test-success" || event == "test-failure"
}

// inHook adds the events of the hook to a finding about its object.
func inHook(f *rule.Finding, events string) {
	if events != "" {
		f.Detail = "in the Helm hook " + events + ": " + f.Detail
	}
}
