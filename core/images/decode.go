package images

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// document is a lock file.
type document struct {
	Version int              `json:"version" yaml:"version"`
	Images  map[string]entry `json:"images"  yaml:"images"`
}

// entry is an image; an empty entry has not been looked up yet.
type entry struct {
	Digest    string    `json:"digest"    yaml:"digest,omitempty"`
	Platforms []variant `json:"platforms" yaml:"platforms,omitempty"`
}

type variant struct {
	OS           string `json:"os"           required:"write linux or windows"  yaml:"os"`
	OSVersion    string `json:"osVersion"    yaml:"osVersion,omitempty"`
	Architecture string `json:"architecture" required:"write amd64, for example" yaml:"architecture"`
	Digest       string `json:"digest"       required:"copy it from the registry" yaml:"digest"`
	User         text   `json:"user"         yaml:"user,omitempty"`
	Entrypoint   []text `json:"entrypoint"   yaml:"entrypoint,flow,omitempty"`
	Command      []text `json:"command"      yaml:"command,flow,omitempty"`
	Layers       []int  `json:"layers"       yaml:"layers,flow,omitempty"`
}

// version is the version of the files that [Decode] accepts.
const version = 1

// Decode reads the content of a lock file; name is the name of the file in errors. The error lists all mistakes in the
// file, each with its line.
func Decode(r io.Reader, name string) (*Lock, error) {
	lock := &Lock{}
	if err := manifests.DecodeOne(r, name, "images", lock.decode); err != nil {
		return nil, err
	}
	return lock, nil
}

func (l *Lock) decode(value any) field.ErrorList {
	var read document
	errs := tree.Decode(&read, value, nil)
	if read.Version != version {
		errs = append(errs, field.Invalid(field.NewPath("version"), read.Version,
			fmt.Sprintf("this version of mixedkube reads version %d", version)))
	}
	return append(errs, l.fill(read.Images, field.NewPath("images"))...)
}

// fill adds the entries of a file to the lock.
func (l *Lock) fill(entries map[string]entry, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	spelled := map[string]string{}
	for _, reference := range slices.Sorted(maps.Keys(entries)) {
		e, at := entries[reference], path.Key(reference)
		name, ok := platform.NormalizeReference(reference)
		if !ok {
			errs = append(errs, field.Invalid(at, reference, "must be an image reference, nginx:1.27 for example"))
			continue
		}
		if other, twice := spelled[name]; twice {
			errs = append(errs, field.Invalid(at, reference, fmt.Sprintf("is the same image as %s: remove one", other)))
			continue
		}
		spelled[name] = reference
		errs = append(errs, e.validate(at)...)
		_ = l.Set(name, e.facts()) // the reference is valid
	}
	return errs
}

var digest = regexp.MustCompile(`^[a-z0-9]+:[0-9a-f]{32,}$`)

const digestRule = "must be a digest, sha256: and 64 hexadecimal digits"

func (e entry) validate(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch {
	case e.Digest == "" && len(e.Platforms) > 0:
		errs = append(errs, field.Required(path.Child("digest"), "the digest that has these platforms"))
	case e.Digest != "" && len(e.Platforms) == 0:
		errs = append(errs, field.Required(path.Child("platforms"), "list at least one platform"))
	case e.Digest != "" && !digest.MatchString(e.Digest):
		errs = append(errs, field.Invalid(path.Child("digest"), e.Digest, digestRule))
	}
	for i, v := range e.Platforms {
		at := path.Child("platforms").Index(i)
		if v.Digest != "" && !digest.MatchString(v.Digest) {
			errs = append(errs, field.Invalid(at.Child("digest"), v.Digest, digestRule))
		}
		for j, size := range v.Layers {
			if size < 0 {
				errs = append(errs,
					field.Invalid(at.Child("layers").Index(j), size, "must be a number of bytes, 0 or more"))
			}
		}
	}
	return errs
}

// facts returns the facts about an image, or nil if they have not been looked up.
func (e entry) facts() *platform.Facts {
	if e.Digest == "" {
		return nil
	}
	facts := &platform.Facts{Digest: e.Digest}
	for _, v := range e.Platforms {
		one := platform.Variant{
			OS: platform.OS(v.OS), OSVersion: v.OSVersion, Architecture: v.Architecture, Digest: v.Digest,
			User: string(v.User), Entrypoint: converted[string](v.Entrypoint), Command: converted[string](v.Command),
		}
		for _, size := range v.Layers {
			one.Layers = append(one.Layers, int64(size))
		}
		facts.Variants = append(facts.Variants, one)
	}
	return facts
}

func entryOf(facts *platform.Facts) entry {
	if facts == nil {
		return entry{}
	}
	e := entry{Digest: facts.Digest}
	for _, v := range facts.Variants {
		one := variant{
			OS: string(v.OS), OSVersion: v.OSVersion, Architecture: v.Architecture, Digest: v.Digest,
			User: text(v.User), Entrypoint: converted[text](v.Entrypoint), Command: converted[text](v.Command),
		}
		for _, size := range v.Layers {
			one.Layers = append(one.Layers, int(size))
		}
		e.Platforms = append(e.Platforms, one)
	}
	return e
}
