package conversion

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
)

// answers are the caller's answers about objects.
type answers map[string]platform.Platform

// key returns the key of the answer about an object. A key with a namespace comes first.
func (a answers) key(o Object) (string, bool) {
	for _, key := range o.keys() {
		if _, ok := a[key]; ok {
			return key, true
		}
	}
	return "", false
}

// of returns the answer about an object, or "" if there is none.
func (a answers) of(o Object) platform.Platform {
	key, ok := a.key(o)
	if !ok {
		return ""
	}
	return a[key]
}

// contradicted returns what keeps the answer about an object from being followed, or nil if nothing does.
func (a answers) contradicted(it *item, by *mutate.Obstacle) []error {
	key := it.answer
	if key == "" || by == nil {
		return nil
	}
	at, value := place(it.File, it.doc.Line(by.Path)), a[key].String()
	if by.Contradicts {
		return []error{invalidAnswer(key, value, "contradicts %s in %s: remove the answer, or change the manifest",
			by.Text, at)}
	}
	return []error{invalidAnswer(key, value,
		"cannot be followed, because of %s in %s: remove the answer, or correct the manifest", by.Text, at)}
}

// HasAnswers reports whether there are answers about objects.
func (c *Converter) HasAnswers() bool { return len(c.answers) > 0 }

// Unused returns errors about the answers that match no object. used are the keys that match one, and names those that
// would: see [Object.Names].
func (c *Converter) Unused(used map[string]bool, names []string) (errs []error) {
	for _, key := range slices.Sorted(maps.Keys(c.answers)) {
		if !used[key] {
			errs = append(errs, NoSuchObject(key, names))
		}
	}
	return errs
}

// NoSuchObject returns an error about an answer that matches none of the objects with pods.
func NoSuchObject(key string, known []string) *field.Error {
	detail := "no object with pods has this name"
	if near, ok := fielderrors.Nearest(key, known); ok {
		detail += ": did you mean " + near + "?"
	} else {
		detail += ": remove the answer, or correct it"
	}
	return invalidAnswer(key, key, "%s", detail)
}
