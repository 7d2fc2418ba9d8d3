package report

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// jsonFinding is the JSON form of a finding. The keys are stable: keys may be added, but never change. All keys are
// always present.
type jsonFinding struct {
	File string `json:"file"`
	// Line is the line of the field, or of the object that should contain it.
	Line      int    `json:"line"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Rule      string `json:"rule"`
	// Severity is error, warning or info.
	Severity rule.Severity `json:"severity"`
	// Path is empty for the whole object. Value is null if there is none to show.
	Path    string `json:"path"`
	Value   any    `json:"value"`
	Message string `json:"message"`
	Fix     string `json:"fix"`
	// Suppressed is true if the finding is ignored. SuppressedBy is what ignores it, and Reason is why.
	Suppressed   bool       `json:"suppressed"`
	SuppressedBy Suppressor `json:"suppressedBy"`
	Reason       string     `json:"reason"`
	// Resource is the URN of the object in a program. Cluster is the name of its provider if the program names several
	// clusters.
	Resource string `json:"resource"`
	Cluster  string `json:"cluster"`
	// Environments are the parts of a repository that are for one cluster each, [] if there is only one.
	Environments []string `json:"environments"`
	// Also are further places that have written a part of the value, as file:line; [] if there are none.
	Also []string `json:"also"`
}

// WriteJSON writes an array of the findings, empty if there are none. A file that was found and not read (see [NotRead]),
// or left alone (see [LeftAlone]), is an element without a rule.
func (r *Report) WriteJSON(w io.Writer) error {
	out := make([]jsonFinding, 0, len(r.Findings)+len(r.NotRead)+len(r.Left))
	for _, n := range r.NotRead {
		out = append(out, jsonFinding{
			File: n.File, Severity: rule.Info, Message: n.Reason + ", and is not read", Fix: n.Fix,
			Also: []string{}, Environments: []string{},
		})
	}
	for _, l := range r.Left {
		out = append(out, jsonFinding{
			File: l.File, Line: l.Line, Severity: rule.Info, Message: l.String(),
			Also: []string{}, Environments: []string{},
		})
	}
	for _, f := range r.Findings {
		out = append(out, jsonFinding{
			File: f.File, Line: f.Line, Kind: f.Kind, Namespace: f.Namespace, Name: f.Name,
			Rule: f.Rule, Severity: f.Severity, Path: f.Path, Value: f.Value,
			Message: f.Summary(), Fix: f.Fix, Suppressed: f.Suppressed,
			SuppressedBy: f.SuppressedBy, Reason: f.Reason, Resource: f.Resource, Cluster: f.Cluster,
			Environments: append([]string{}, f.Environments...), Also: append([]string{}, f.Also...),
		})
	}
	return encode(w, out)
}

// encode writes JSON, in which a terminal or an agent that shows the report finds nothing to do.
func encode(w io.Writer, v any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, escape.JSON(text.String()))
	return err
}
