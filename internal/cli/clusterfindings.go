package cli

import (
	"io"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/cli/sources"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// placeOfTopology is where the topology of a command is written.
type placeOfTopology struct {
	file sources.File
	// below is the path of the topology in the file, "" if it is the whole file.
	below string
}

// placeOfTopology returns the file of the topology that the flag --topology or the configuration names, or the
// configuration that contains the topology.
func (in *input) placeOfTopology(flag string, c configuration) placeOfTopology {
	return in.placeOf(named{"--topology", flag, c.Topology}, "topology.", c)
}

func (in *input) placeOf(from named, below string, c configuration) placeOfTopology {
	if file, is := in.fileOf(from, c); is {
		return placeOfTopology{file: file}
	}
	return placeOfTopology{below: below, file: sources.File{
		Name: c.name, Open: func() (io.ReadCloser, error) { return in.access.Open(c.name) },
	}}
}

// lines returns the line of each path in the topology. If there is no such line, because the file describes nodes or
// the state of a stack, or cannot be read again, it is the first one.
func (p placeOfTopology) lines(paths []string) []int {
	lines := make([]int, len(paths))
	var docs []manifests.Document
	if p.file.Open != nil && len(paths) > 0 {
		if r, err := p.file.Open(); err == nil {
			defer func() { _ = r.Close() }()
			docs, _ = manifests.ReadYAML(r, p.file.Name)
		}
	}
	for i, path := range paths {
		lines[i] = 1
		if len(docs) == 1 {
			lines[i] = max(1, docs[0].Line(p.below+path))
		}
	}
	return lines
}

// clusterFindings returns the findings about the topology itself, judged by the configuration.
func clusterFindings(
	o preflight.Options, at placeOfTopology, severities report.Severities, policy *report.Policy,
) []report.Finding {
	return judgedTopology(
		report.TopologyOf(""), preflight.New(o).CheckCluster(), at, placeOfTopology{}, severities, policy)
}

// judgedTopology judges findings about the topology and about the planned one, or about facts, by the configuration.
func judgedTopology(
	about report.Object, found []preflight.Finding, at, plan placeOfTopology, severities report.Severities,
	policy *report.Policy,
) []report.Finding {
	var current, planned []string
	for _, f := range found {
		if path, inPlan := strings.CutPrefix(f.Path, preflight.InPlan); inPlan {
			planned = append(planned, path)
		} else {
			current = append(current, path)
		}
	}
	lines, linesOfPlan := at.lines(current), plan.lines(planned)
	judged := make([]report.Finding, len(found))
	for i, f := range found {
		of, left := at, &lines
		if strings.HasPrefix(f.Path, preflight.InPlan) {
			of, left = plan, &linesOfPlan
		}
		judged[i] = policy.Judge(about, severities.Apply(f))
		judged[i].File, judged[i].Line = of.file.Name, (*left)[0]
		*left = (*left)[1:]
	}
	return judged
}
