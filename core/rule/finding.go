package rule

import (
	"cmp"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// Finding is one violation of a rule, or one error, in an object.
type Finding struct {
	// Rule is the ID of the rule, for example "MK118".
	Rule string `pulumi:"rule,optional"`
	// Severity is the severity of the rule. It is [Warning] if the rule is an error only in some versions of Kubernetes
	// and the version is unknown, or if the only evidence is a word of an image's tag or the name of a RuntimeClass
	// that is named like a platform.
	Severity Severity `pulumi:"severity"`
	// Path is the path of the field in the object, for example
	// "spec.template.spec.containers[0].image". Empty for the whole object.
	Path string `pulumi:"path,optional"`
	// Type is the API server's error type. It is empty if the API server accepts the value.
	Type field.ErrorType `pulumi:"-"`
	// Value is the value of the field, if there is one to show.
	//
	// In Go it is preflight.Secret or preflight.Unknown if the object holds such a marker.
	Value any `pulumi:"value,optional"`
	// Detail describes the problem, in the API server's words if the API server refuses the value.
	Detail string `pulumi:"-"`
	// Fix describes how to fix the problem.
	Fix string `pulumi:"fix,optional"`
	// Suppressed is true if the rule is ignored: by the object's annotation mixedkube.dev/ignore, or by the arguments
	// of a component.
	Suppressed bool `pulumi:"suppressed"`
}

// Message returns the finding without its path: the value, the problem, the fix and, if there is a rule, its ID.
func (f Finding) Message() string {
	var b strings.Builder
	if f.Type != "" {
		err := field.Error{
			Type: f.Type, Field: "-", BadValue: fielderrors.Shown(f.Value),
			Detail: fielderrors.Printable(f.Detail),
		}
		b.WriteString(err.ErrorBody())
	} else {
		if f.Value != nil {
			fmt.Fprintf(&b, "%s: ", formatValue(fielderrors.Shown(f.Value)))
		}
		b.WriteString(fielderrors.Printable(f.Detail))
	}
	if f.Fix != "" {
		b.WriteString(": " + fielderrors.Printable(f.Fix))
	}
	if f.Rule != "" {
		b.WriteString(" (" + f.Rule + ")")
	}
	return b.String()
}

// Summary returns the message without the fix and the rule: the value and the problem.
func (f Finding) Summary() string {
	f.Fix, f.Rule = "", ""
	return f.Message()
}

// String returns the path and the message.
func (f Finding) String() string {
	if f.Path == "" {
		return f.Message()
	}
	return fielderrors.Printable(f.Path) + ": " + f.Message()
}

// Blocks reports whether the finding is an error that is not suppressed.
func (f Finding) Blocks() bool {
	return f.Severity == Error && !f.Suppressed
}

// SameAs reports whether two findings have the same rule and the same path.
func (f Finding) SameAs(other Finding) bool { return f.Rule == other.Rule && f.Path == other.Path }

// FindingError is a finding as an error. Constructors that refuse their arguments return it. It wraps a [*field.Error].
type FindingError struct {
	Finding
}

// Error returns the finding's path and message.
func (e *FindingError) Error() string { return escape.Line(e.String()) }

// Unwrap returns the finding as a field error, without the fix and the rule.
func (e *FindingError) Unwrap() error {
	return &field.Error{
		Type: cmp.Or(e.Type, field.ErrorTypeInvalid), Field: e.Path, BadValue: fielderrors.Shown(e.Value),
		Detail: e.Detail,
	}
}

func formatValue(v any) string {
	if s, ok := v.(string); ok {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprint(v)
}
