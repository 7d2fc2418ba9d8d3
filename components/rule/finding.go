package rule

import (
	"cmp"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// Finding is one thing that is wrong with an object.
type Finding struct {
	// Rule is the ID of the rule, for example "MK118".
	Rule string `pulumi:"rule,optional"`
	// Severity is the rule's, or [Warning] where the rule is an error in some
	// versions of Kubernetes only and the version is not known, or where only the
	// name of a RuntimeClass, which is that of a platform, or a word of an image's tag
	// says that it holds.
	Severity Severity `pulumi:"severity"`
	// Path is the path of the field in the object, for example
	// "spec.template.spec.containers[0].image". Empty for the whole object.
	Path string `pulumi:"path,optional"`
	// Type is the API server's type of error where the API server itself refuses
	// the value. Empty for what it accepts.
	Type field.ErrorType `pulumi:"-"`
	// Value is the value of the field, if there is one to show.
	//
	// In Go it is a mark, preflight.Secret or preflight.Unknown, where the object holds one.
	Value any `pulumi:"value,optional"`
	// Detail says what is wrong: in the API server's words where it is the one who
	// refuses.
	Detail string `pulumi:"-"`
	// Fix says what to do.
	Fix string `pulumi:"fix,optional"`
	// Silenced says that somebody ignores the rule: the object, by its annotation
	// mixedkube.dev/ignore, or the arguments of a component.
	Silenced bool `pulumi:"silenced"`
}

// Message is the finding without its path: the value, what is wrong, the fix and
// the rule's ID if there is a rule.
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

// Summary is the message without the fix and the rule: the value, and what is wrong.
func (f Finding) Summary() string {
	f.Fix, f.Rule = "", ""
	return f.Message()
}

// String is the path and the message, as people read it.
func (f Finding) String() string {
	if f.Path == "" {
		return f.Message()
	}
	return fielderrors.Printable(f.Path) + ": " + f.Message()
}

// Blocks reports whether the finding is an error that nobody has silenced.
func (f Finding) Blocks() bool {
	return f.Severity == Error && !f.Silenced
}

// SameAs reports whether two findings are of one rule, at one place.
func (f Finding) SameAs(other Finding) bool { return f.Rule == other.Rule && f.Path == other.Path }

// FindingError is a finding as an error, in those of constructors that refuse their
// arguments. It wraps a [*field.Error].
type FindingError struct {
	Finding
}

// Error is the finding's path and message.
func (e *FindingError) Error() string { return e.String() }

// Unwrap is the finding as a field error, without the fix and the rule.
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
