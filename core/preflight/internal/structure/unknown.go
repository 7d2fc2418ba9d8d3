package structure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// unknown reports a field that a type does not have.
func (w *walker) unknown(t *Type, name string, v any) {
	// Pulumi spells x-kubernetes-… like this, because its names have no hyphens.
	if w.lenient || t.Name == "JSONSchemaProps" && strings.HasPrefix(name, "x_kubernetes_") {
		return
	}
	certain := Known(w.minor)
	detail := "is not a field of " + t.described()
	if !certain {
		detail += InKnown()
	}
	w.report(Problem{Fault: UnknownField, Value: plain(v), Detail: detail, Fix: w.hint(t, name), Certain: certain})
}

// ofOtherVersion reports a field that a type has in other versions of Kubernetes. If the version is unknown, it reports
// that not all versions have it.
func (w *walker) ofOtherVersion(t *Type, f field, v any) {
	if w.lenient {
		return
	}
	if w.minor == 0 {
		w.minor = f.one()
		w.value(f.shape, v)
		w.minor = 0
	}
	w.report(Problem{
		Fault: OtherVersion, Value: plain(v), Detail: "is a field of " + t.described() + " only " + f.String(),
		Fix: "remove it for other versions", Certain: w.minor != 0,
	})
}

// hint suggests a field: one with a similar name, or one with the same name in another place.
func (w *walker) hint(t *Type, name string) string {
	if near, ok := fielderrors.Nearest(name, t.names(w.minor)); ok {
		return "did you mean " + near + "?"
	}
	if longer := beginning(name, t.names(w.minor)); longer != "" {
		return "did you mean " + longer + "?"
	}
	if below := cmp.Or(inside(t, name), t.joined(name)); below != "" {
		return "did you mean " + below + "?"
	}
	at := w.path[:len(w.path)-1]
	for i := len(w.within) - 2; i >= 0; i-- {
		// The path has more parts than types: indexes and keys.
		for len(at) > 0 && at[len(at)-1].kind != fieldName {
			at = at[:len(at)-1]
		}
		at = at[:max(0, len(at)-1)]
		if w.has(w.within[i], name) {
			return "did you mean " + pathOf(append(slices.Clone(at), part{name: name})) + "?"
		}
		if below := inside(w.within[i], name); below != "" {
			return "did you mean " + pathOf(append(slices.Clone(at), part{name: below})) + "?"
		}
	}
	return "remove it"
}

// beginning returns the only name that begins with a word, unless the word is short: "" if there is none, or several.
func beginning(word string, names []string) string {
	const short = 4
	found := ""
	for _, name := range names {
		if len(word) < short || !strings.HasPrefix(name, word) {
			continue
		}
		if found != "" {
			return ""
		}
		found = name
	}
	return found
}

func (w *walker) has(t *Type, name string) bool {
	f := t.fields.get(name)
	return f != nil && (w.minor == 0 || f.has(w.minor))
}

// inside finds a field by name in the objects of a type, and in those within these: "" if there is none, or several at
// the same depth.
func inside(t *Type, name string) string { return t.nested()[name] }

// joined finds a field of an object whose name was put before its own, as in older versions of an API: serviceName is
// service.name. It returns "" if there is none.
func (t *Type) joined(name string) string {
	for _, child := range t.names(0) {
		f := t.fields.get(child)
		rest, ok := strings.CutPrefix(name, child)
		if !ok || rest == "" || f.form != object {
			continue
		}
		rest = strings.ToLower(rest[:1]) + rest[1:]
		if f.typ.fields.get(rest) != nil {
			return child + "." + rest
		}
	}
	return ""
}

// described returns the type's name with its article.
func (t *Type) described() string { return WithArticle(t.Name) }

// WithArticle returns the name of a kind or a type with its article: "an Ingress".
func WithArticle(name string) string {
	if strings.ContainsAny(name[:1], "AEIO") {
		return "an " + name
	}
	return "a " + name
}

// off reports whether the gate is off by default in Kubernetes 1.minor, 0 if the version is unknown. A later version
// than the known ones may have it on.
func (g *gate) off(minor int) bool {
	_, last := Range()
	if g.until != 0 {
		last = g.until
	}
	return minor <= last
}

// disabled reports a field that API servers drop by default.
func (w *walker) disabled(g *gate, v any) {
	if v == nil || tree.IsUnknown(v) || !g.off(w.minor) {
		return
	}
	until := ""
	if g.until != 0 {
		until = fmt.Sprintf(" until Kubernetes 1.%d", g.until)
	}
	w.report(Problem{
		Fault: Disabled, Value: plain(v),
		Detail: "is a field that API servers drop" + until + " if the feature gate " + g.name + " is not on",
		Fix:    "remove it, or set --feature-gates=" + g.name + "=true",
	})
}
