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
type answers struct {
	byKey map[string]platform.Platform
	used  map[string]bool
}

func newAnswers(byKey map[string]platform.Platform) *answers {
	return &answers{byKey, map[string]bool{}}
}

// key returns the key of the answer about an object. A key with a namespace comes first.
func (a *answers) key(o Object) (string, bool) {
	for _, key := range []string{o.Key(), o.Kind + "/" + o.Name} {
		if _, ok := a.byKey[key]; ok {
			return key, true
		}
	}
	return "", false
}

// of returns the answer about an object, or "" if there is none.
func (a *answers) of(o Object) platform.Platform {
	key, ok := a.key(o)
	if !ok {
		return ""
	}
	return a.byKey[key]
}

// contradicted records that the object of an answer has pods. It returns what keeps the answer from being followed, or
// nil if nothing does.
func (a *answers) contradicted(it *item, by *mutate.Obstacle) []error {
	key, ok := a.key(it.Object)
	if !ok {
		return nil
	}
	a.used[key] = true
	if by == nil {
		return nil
	}
	at, value := place(it.File, it.doc.Line(by.Path)), a.byKey[key].String()
	if by.Contradicts {
		return []error{invalidAnswer(key, value, "contradicts %s in %s: remove the answer, or change the manifest",
			by.Text, at)}
	}
	return []error{invalidAnswer(key, value,
		"cannot be followed, because of %s in %s: remove the answer, or correct the manifest", by.Text, at)}
}

// problems returns errors about answers that match nothing.
func (a *answers) problems(objects []Object) []error {
	var known []string
	for _, o := range objects {
		if !o.Adoptable() {
			continue
		}
		for _, key := range []string{o.Kind + "/" + o.Name, o.Key()} {
			if !slices.Contains(known, key) {
				known = append(known, key)
			}
		}
	}
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(a.byKey)) {
		if a.used[key] {
			continue
		}
		errs = append(errs, NoSuchObject(key, known))
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
