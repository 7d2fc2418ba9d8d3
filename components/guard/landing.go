package guard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/report"
	"github.com/mixedkube/mixedkube/internal/mutate"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// logLandings shows where the pods of workloads can land, for each cluster.
func (g *guard) logLandings(of []*resource) {
	for _, c := range g.clusters {
		g.logLandingsIn(c, of)
	}
}

// landing is where the pods of a workload can land.
type landing struct {
	*resource
	preflight.Landing
	workload, text string
}

func (g *guard) logLandingsIn(c *cluster, of []*resource) {
	var classes []map[string]any
	for _, o := range c.context {
		if o.Kind == "RuntimeClass" {
			classes = append(classes, o.Tree)
		}
	}
	var all []landing
	var workloads []*resource
	for _, r := range of {
		if r.cluster != c {
			continue
		}
		if r.object.Kind != "" && len(r.object.All()) > 0 {
			workloads = append(workloads, r)
		}
		if at, ok := c.checker.LandingOf(r.object, classes...); ok {
			all = append(all, landing{r, at, r.workload(), at.String() + notes[r.outcome]})
		}
	}
	text := g.landingsIn(c, of, all)
	if c.pools {
		text = strings.TrimPrefix(text+g.placed(workloads), "\n")
	}
	if text == "" {
		return
	}
	// Nobody is left to tell that it cannot be shown.
	_ = g.ctx.Log.Info(text, nil)
	for _, l := range all {
		g.report.Landings = append(g.report.Landings, l.reported())
	}
}

// landingsIn sorts landings by the names of the workloads, and shows them.
func (g *guard) landingsIn(c *cluster, of []*resource, all []landing) string {
	if len(all) == 0 {
		return ""
	}
	slices.SortStableFunc(all, func(a, b landing) int { return strings.Compare(a.workload, b.workload) })
	text := "where the pods can land:"
	if c.provider != "" {
		text = fmt.Sprintf("where the pods can land in the cluster of the provider %q:", c.provider)
	}
	text += table(all)
	if len(of) == len(g.seen) { // a late one is no sum
		landings := make([]preflight.Landing, len(all))
		for i, l := range all {
			landings[i] = l.Landing
		}
		text += requested(landings)
	}
	return text
}

// longest is how many workloads have a line each. With more, those that land at the same pools
// share one, so that the few others are seen.
const longest = 20

// table has a line for each workload, or for each landing if they are many.
func table(all []landing) string {
	type line struct{ who, text string }
	var lines []line
	if len(all) <= longest {
		for _, l := range all {
			lines = append(lines, line{l.workload, l.text})
		}
	} else {
		names := map[string][]string{}
		for _, l := range all {
			names[l.text] = append(names[l.text], l.workload)
		}
		for text, of := range names {
			lines = append(lines, line{together(of), text})
		}
		slices.SortFunc(lines, func(a, b line) int {
			return cmp.Or(cmp.Compare(len(names[a.text]), len(names[b.text])), cmp.Compare(a.who, b.who))
		})
	}
	width := 0
	for _, l := range lines {
		width = max(width, utf8.RuneCountInString(l.who))
	}
	var text strings.Builder
	for _, l := range lines {
		text.WriteString("\n  " + l.who + strings.Repeat(" ", width-utf8.RuneCountInString(l.who)) + " → " + l.text)
	}
	return text.String()
}

// together names workloads in a line: the first of many, and how many others there are.
func together(names []string) string {
	const most = 3
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(names[:most], ", "), len(names)-most)
}

func (l landing) reported() report.Landing {
	reported := report.Landing{Object: report.ObjectOf(l.object.Tree), Workload: l.workload, Text: l.text}
	reported.Resource, reported.Cluster = string(l.at), l.cluster.provider
	for _, p := range l.Pools {
		reported.Pools = append(reported.Pools, p.Name)
	}
	for _, p := range l.Perhaps {
		reported.Perhaps = append(reported.Perhaps, p.Name)
	}
	for _, r := range l.Refused() {
		reported.Refused = append(reported.Refused, report.Refused(r))
	}
	return reported
}

// notes say how [Args.Place] took pods, where that is not plain from the pools.
var notes = map[mutate.Outcome]string{
	mutate.TakenForLinux: ", taken for Linux: the images do not say",
	mutate.Unsaid:        ", not placed: the images do not say for which system they are",
	mutate.Misannotated:  ", not placed: the annotation " + preflight.PlatformAnnotation + " is wrong",
}

// workload is the name of the object, with its namespace where it has one; or that
// of the resource while Kubernetes' name is not known.
func (r *resource) workload() string {
	metadata := tree.Map(r.object.Tree["metadata"])
	name, ok := tree.Text(metadata["name"])
	if _, secret := metadata["name"].(tree.Secret); !ok || secret {
		return r.name
	}
	if namespace, _ := metadata["namespace"].(string); namespace != "" && namespace != "default" {
		return namespace + "/" + name
	}
	return name
}
