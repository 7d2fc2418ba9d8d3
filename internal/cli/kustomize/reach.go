package kustomize

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
)

// RefusedError is why a kustomization is not built.
type RefusedError struct {
	// File is the kustomization that has the reason, Line the field.
	File string
	Line int
	// Detail is the field, its value, and why the build would need more than files.
	Detail string
}

// Error returns the reason with its place.
func (r *RefusedError) Error() string { return fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.Detail) }

// reach reads what the build of a directory would read, and returns it as the library accumulates it. It returns an
// error if the build would fetch or run something.
func (r *reader) reach(dir string) (*accumulated, error) {
	root := &accumulated{}
	if err := r.accumulate(dir, root, types.KustomizationKind, nil); err != nil {
		return nil, err
	}
	return root, nil
}

// accumulate adds what a directory contributes. above are the directories that include it.
func (r *reader) accumulate(dir string, into *accumulated, kind string, above []string) error {
	k, err := r.kustomization(dir)
	if err != nil {
		return err
	}
	if into.kustomization == nil {
		into.kustomization = k
	}
	if r.included++; r.included > maxIncluded {
		return fmt.Errorf("%s: includes more than %d kustomizations", r.shown(r.root), maxIncluded)
	}
	r.use(k.file)
	if err := k.checkKind(r, kind); err != nil {
		return err
	}
	if err := r.check(k); err != nil {
		return err
	}
	above = append(slices.Clone(above), dir)
	for _, list := range []struct {
		field string
		names []string
	}{{"resources", k.content.Resources}, {"bases", k.content.Bases}} {
		for i, name := range list.names {
			if err := r.resource(k, fmt.Sprintf("%s[%d]", list.field, i), name, into, above); err != nil {
				return err
			}
		}
	}
	into.addGenerators(k)
	r.addCharts(k)
	for i, name := range k.content.Components {
		at := fmt.Sprintf("components[%d]", i)
		s := r.files.stat(filepath.Join(k.dir, name))
		if err := r.checkDirectory(k, at, name, s, above); err != nil {
			return err
		}
		if err := r.accumulate(s.at, into, types.ComponentKind, above); err != nil {
			return err
		}
	}
	return r.addSteps(k, into)
}

// checkKind returns an error if a kustomization is included as another kind.
func (k *kustomization) checkKind(r *reader, kind string) error {
	is := k.content.Kind
	if is == "" {
		is = types.KustomizationKind
	}
	if is != kind {
		return fmt.Errorf("%s: is a %s, and is included as a %s", r.shown(k.file), is, kind)
	}
	return nil
}

// resource adds a file with objects, or a directory.
func (r *reader) resource(k *kustomization, field, name string, into *accumulated, above []string) error {
	s := r.files.stat(k.path(name))
	if s.err == nil && !s.isDir {
		if err := r.take(k, field, name); err != nil {
			return err
		}
		text, _ := r.files.read(s.at)
		r.objects += bytes.Count(text, []byte("kind:")) + bytes.Count(text, []byte(`kind":`))
		if r.objects > maxObjects {
			return fmt.Errorf("%s: its build has more than %d objects", r.shown(r.root), maxObjects)
		}
		into.items = append(into.items, item{file: s.at, kustomization: k, field: field})
		return nil
	}
	if err := r.checkDirectory(k, field, name, s, above); err != nil {
		return err
	}
	sub := &accumulated{parent: into, at: len(into.items)}
	into.items = append(into.items, item{sub: sub, kustomization: k, field: field})
	return r.accumulate(s.at, sub, types.KustomizationKind, above)
}

// path returns the path of a file that the kustomization names.
func (k *kustomization) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(k.dir, name)
}

// checkDirectory returns an error if a directory cannot be included. The library finds a circle by the paths: a
// directory cannot include one that contains it.
func (r *reader) checkDirectory(k *kustomization, field, name string, s stat, above []string) error {
	switch {
	case s.err != nil:
		return r.wrong(k, field, name, s.err)
	case !s.isDir:
		return r.wrong(k, field, name, errNotDirectory)
	}
	for _, dir := range slices.Backward(above) {
		if below, err := filepath.Rel(s.at, dir); err == nil && filepath.IsLocal(below) {
			return r.wrong(k, field, name, fmt.Errorf("contains %s, which includes it", r.shown(dir)))
		}
	}
	return nil
}

var errNotDirectory = errors.New("is not a directory")

// check returns an error if the library would fetch or run something for a kustomization, and reads its other files.
func (r *reader) check(k *kustomization) error {
	for _, ref := range references(&k.content) {
		if why := fetches(ref.text); why != "" {
			return r.refuse(k, ref.field, ref.text, why+", and nothing is fetched")
		}
	}
	for _, text := range inline(&k.content) {
		if err := checkAliases([]byte(text), r.shown(k.file)); err != nil {
			return err
		}
	}
	for _, ref := range configs(&k.content) {
		text := []byte(ref.text)
		if !isInline(ref.text) {
			var err error
			if s := r.files.stat(k.path(ref.text)); s.err == nil && s.isDir {
				return r.refuse(k, ref.field, ref.text, "is a directory: only files and texts in place are read")
			}
			if text, err = r.files.read(k.path(ref.text)); err != nil {
				return r.wrong(k, ref.field, ref.text, err)
			}
		}
		if why := checkConfig(text, r.shown(k.file)); why != "" {
			return r.refuse(k, ref.field, ref.text, why+", and nothing is run or fetched")
		}
	}
	for _, ref := range references(&k.content) {
		if ref.inline && isInline(ref.text) || strings.HasPrefix(ref.field, "resources[") ||
			strings.HasPrefix(ref.field, "bases[") || strings.HasPrefix(ref.field, "components[") {
			continue
		}
		if err := r.take(k, ref.field, ref.text); err != nil {
			return err
		}
	}
	return nil
}

// isInline reports whether the text of a field is its content, and not the name of a file.
func isInline(text string) bool { return strings.ContainsAny(text, "\n{[:") }

// take reads a file for the build.
func (r *reader) take(k *kustomization, field, name string) error {
	text, err := r.files.read(k.path(name))
	if err != nil {
		return r.wrong(k, field, name, err)
	}
	if r.size += len(text); r.size > maxSize {
		return fmt.Errorf("%s: its build reads more than %d MB", r.shown(r.root), maxSize>>20)
	}
	at := r.files.stat(k.path(name)).at
	r.use(at)
	if strings.Contains(field, "Generator[") {
		return nil // the content can be of any kind, and is not parsed
	}
	return checkAliases(text, r.shown(at))
}

func (r *reader) refuse(k *kustomization, field, text, why string) error {
	if first, _, more := strings.Cut(text, "\n"); more {
		text = first + " …"
	}
	return &RefusedError{r.shown(k.file), k.line(field), fmt.Sprintf("%s: %q %s", field, text, why)}
}

// wrong returns an error about a file that a field names.
func (r *reader) wrong(k *kustomization, field, name string, err error) error {
	return &RefusedError{r.shown(k.file), k.line(field), fmt.Sprintf("%s: %q: %s", field, name, cause(err))}
}
