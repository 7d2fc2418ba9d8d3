package guard

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/mutate"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// logLandings shows a line for each workload: the pools that its pods can land on.
func (g *guard) logLandings(of []*resource) {
	var classes []map[string]any
	for _, r := range g.seen {
		if r.object.Kind == "RuntimeClass" {
			classes = append(classes, r.object.Tree)
		}
	}
	type line struct{ workload, landing string }
	var lines []line
	var workloads []*resource
	var landings []preflight.Landing
	width := 0
	for _, r := range of {
		landing, ok := g.checker.LandingOf(r.object, classes...)
		if !ok {
			continue
		}
		l := line{r.workload(), landing.String() + notes[r.outcome]}
		lines, workloads, landings = append(lines, l), append(workloads, r), append(landings, landing)
		width = max(width, utf8.RuneCountInString(l.workload))
	}
	if len(lines) == 0 {
		return
	}
	slices.SortFunc(lines, func(a, b line) int { return strings.Compare(a.workload, b.workload) })
	var text strings.Builder
	text.WriteString("where the pods can land:")
	for _, l := range lines {
		text.WriteString("\n  " + l.workload + strings.Repeat(" ", width-utf8.RuneCountInString(l.workload)) + " → " +
			l.landing)
	}
	if len(of) == len(g.seen) { // a late one is no sum
		text.WriteString(requested(landings))
	}
	text.WriteString(g.placed(workloads))
	// Nobody is left to tell that it cannot be shown.
	_ = g.ctx.Log.Info(text.String(), nil)
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
