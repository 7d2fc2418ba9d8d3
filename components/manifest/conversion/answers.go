package conversion

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/mutate"
)

// answers are what the caller says about objects.
type answers struct {
	given map[string]platform.Platform
	used  map[string]bool
}

func newAnswers(given map[string]platform.Platform) *answers {
	return &answers{given, map[string]bool{}}
}

// key is the one that is about an object; that with a namespace comes first.
func (a *answers) key(o Object) (string, bool) {
	for _, key := range []string{o.Key(), o.Kind + "/" + o.Name} {
		if _, ok := a.given[key]; ok {
			return key, true
		}
	}
	return "", false
}

// of is the answer about an object, "" if there is none.
func (a *answers) of(o Object) platform.Platform {
	key, ok := a.key(o)
	if !ok {
		return ""
	}
	return a.given[key]
}

// contradicted says that an object has pods, and what keeps the answer from being followed,
// nil for nothing.
func (a *answers) contradicted(it *item, by *mutate.Obstacle) []error {
	key, ok := a.key(it.Object)
	if !ok {
		return nil
	}
	a.used[key] = true
	if by == nil {
		return nil
	}
	at, given := place(it.File, it.doc.Line(by.Path)), a.given[key].String()
	if by.Contradicts {
		return []error{invalidAnswer(key, given, "contradicts %s in %s: remove the answer, or change the manifest",
			by.Text, at)}
	}
	return []error{invalidAnswer(key, given,
		"cannot be followed, because of %s in %s: remove the answer, or correct the manifest", by.Text, at)}
}

// problems are about answers that match nothing.
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
	for _, key := range slices.Sorted(maps.Keys(a.given)) {
		if a.used[key] {
			continue
		}
		errs = append(errs, NoSuchObject(key, known))
	}
	return errs
}

// NoSuchObject is about an answer that matches none of the objects with pods.
func NoSuchObject(key string, known []string) *field.Error {
	detail := "no object with pods has this name"
	if near, ok := fielderrors.Nearest(key, known); ok {
		detail += ": did you mean " + near + "?"
	} else {
		detail += ": remove the answer, or correct it"
	}
	return invalidAnswer(key, key, "%s", detail)
}
