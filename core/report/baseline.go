package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Known identifies a finding of a [Baseline], so that it is recognized after the object changes. The text, the value
// and the line of a finding are not part of it: they change with versions of this library and with every edit of the
// file.
type Known struct {
	// Resource identifies the object, see [Object.Key].
	Resource string `json:"resource" required:"name the resource"`
	// Rule is the ID of the rule.
	Rule string `json:"rule" required:"name the rule"`
	// Severity is error or warning. If a finding that is known as a warning becomes an error, it is a new finding.
	Severity rule.Severity `json:"severity" required:"write error or warning"`
	// Path is the path of the field, empty for the whole object.
	Path string `json:"path"`
}

// String returns the finding on one line.
func (k Known) String() string { return join(" ", k.Rule, k.Resource, k.Path) }

// known is the identity of a finding.
type known struct{ resource, rule, path string }

func (k Known) identity() known { return known{k.Resource, k.Rule, k.Path} }

// Baseline is a list of known findings, which do not block anything.
type Baseline struct {
	// Path is the path of the file.
	Path string
	// Known are the findings, sorted and without duplicates.
	Known []Known
}

// document is the content of a baseline file.
type document struct {
	Version  int     `json:"version"`
	Findings []Known `json:"findings"`
}

// version is the version of the file format that [DecodeBaseline] reads.
const version = 1

// DecodeBaseline reads the content of the baseline file at a path. The error lists everything that is wrong with the
// file, each with its line.
func DecodeBaseline(r io.Reader, path string) (*Baseline, error) {
	var read document
	err := manifests.DecodeOne(r, filepath.ToSlash(path), "findings that are known", read.decode)
	if err != nil {
		return nil, err
	}
	return newBaseline(path, read.Findings), nil
}

func (d *document) decode(value any) field.ErrorList {
	errs := tree.Decode(d, value, nil)
	if d.Version != version {
		errs = append(errs, field.Invalid(field.NewPath("version"), d.Version,
			fmt.Sprintf("this version of mixedkube reads version %d", version)))
	}
	for i, k := range d.Findings {
		if k.Severity != "" && !slices.Contains(severities, k.Severity) {
			errs = append(errs, field.NotSupported(field.NewPath("findings").Index(i).Child("severity"),
				k.Severity, severities))
		}
	}
	return errs
}

func newBaseline(path string, findings []Known) *Baseline {
	worst := map[known]Known{}
	for _, k := range findings {
		if other, again := worst[k.identity()]; !again || worse(k.Severity, other.Severity) {
			worst[k.identity()] = k
		}
	}
	return &Baseline{path, slices.SortedFunc(maps.Values(worst), func(a, b Known) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Rule, b.Rule),
			fielderrors.ComparePaths(a.Path, b.Path), cmp.Compare(a.Path, b.Path))
	})}
}

// severities are the severities that a known finding can have, most severe first.
var severities = []rule.Severity{rule.Error, rule.Warning}

func worse(a, b rule.Severity) bool { return slices.Index(severities, a) < slices.Index(severities, b) }

// BaselineOf returns a baseline of all errors and warnings that are not suppressed by anything except a baseline.
func BaselineOf(path string, findings []Finding) *Baseline {
	var all []Known
	for _, f := range findings {
		if slices.Contains(severities, f.Severity) && (!f.Suppressed || f.SuppressedBy == ByBaseline) {
			all = append(all, Known{Resource: f.Key(), Rule: f.Rule, Severity: f.Severity, Path: f.Path})
		}
	}
	return newBaseline(path, all)
}

var header = `# Known findings of mixedkube. They do not block; new findings do.
# Remove an entry when it is fixed. The rules: ` + rule.URL("") + `
`

// Encode returns the content of the file, which [DecodeBaseline] reads. If rules are passed, the title of its rule is
// added to each finding as a comment.
func (b *Baseline) Encode(rules rule.Set) ([]byte, error) {
	findings := &yaml.Node{Kind: yaml.SequenceNode}
	if len(b.Known) == 0 {
		findings.Style = yaml.FlowStyle
	}
	for _, k := range b.Known {
		id := &yaml.Node{Kind: yaml.ScalarNode, Value: k.Rule}
		if r, found := rules.Find(k.Rule); found {
			id.LineComment = r.Title
		}
		entry := mapping("resource", text(k.Resource), "rule", id, "severity", text(string(k.Severity)))
		if k.Path != "" {
			entry.Content = append(entry.Content, text("path"), text(k.Path))
		}
		findings.Content = append(findings.Content, entry)
	}
	out := bytes.NewBufferString(header)
	encoder := yaml.NewEncoder(out)
	encoder.SetIndent(2)
	one := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(version)}
	err := errors.Join(encoder.Encode(mapping("version", one, "findings", findings)), encoder.Close())
	return out.Bytes(), err
}

// plain matches texts that need no quotes in any version of YAML: neither numbers nor words such as no.
var plain = regexp.MustCompile(`^[A-Za-z][\w.:/\[\]$-]*[.:/\[][\w.:/\[\]$-]*[\w\]]$`)

func text(value string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
	if !plain.MatchString(value) && !slices.Contains(words, value) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// words are also plain.
var words = []string{"version", "findings", "resource", "rule", "severity", "path", "error", "warning"}

// mapping returns a mapping of alternating keys and values.
func mapping(keysAndValues ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, part := range keysAndValues {
		if key, ok := part.(string); ok {
			part = text(key)
		}
		n.Content = append(n.Content, part.(*yaml.Node))
	}
	return n
}
