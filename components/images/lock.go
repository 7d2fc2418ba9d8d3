package images

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
)

// DefaultFile is the name of the lock file that the commands look for in the working directory.
const DefaultFile = "mixedkube.images.yaml"

// Lock is what is known about images, by reference. A nil Lock is one that knows nothing. Several
// goroutines may read it as long as none changes it.
type Lock struct {
	// images are the facts by normalized reference, nil for an image that nobody has looked up.
	images map[string]*platform.Facts
}

// Facts are those of an image, however its reference is spelled: nginx and
// index.docker.io/library/nginx:latest are one. It is nil if nothing is known. The result is the
// lock's own: do not change it.
func (l *Lock) Facts(reference string) *platform.Facts {
	if l == nil {
		return nil
	}
	name, ok := platform.NormalizeReference(reference)
	if !ok {
		return nil
	}
	if facts, locked := l.images[name]; locked {
		return facts
	}
	if repository, digest, pinned := strings.Cut(name, "@"); pinned {
		return l.pinned(repository, digest)
	}
	return nil
}

// pinned is what is known of a digest from the tags of its repository: of an index everything, of
// one of its manifests what that one is.
func (l *Lock) pinned(repository, digest string) *platform.Facts {
	for name, facts := range l.images {
		if facts == nil || !strings.HasPrefix(name, repository+":") {
			continue
		}
		if facts.Digest == digest {
			return facts
		}
		for _, v := range facts.Variants {
			if v.Digest == digest {
				return &platform.Facts{Digest: digest, Variants: []platform.Variant{v}}
			}
		}
	}
	return nil
}

// References are those of all images, normalized and sorted, also of those that nobody has looked
// up yet.
func (l *Lock) References() []string {
	if l == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(l.images))
}

// Set keeps the facts about an image. Without facts the image is one to look up: see [Lock.Facts].
func (l *Lock) Set(reference string, facts *platform.Facts) error {
	name, ok := platform.NormalizeReference(reference)
	if !ok {
		return fmt.Errorf("%q is not a valid image reference: write one such as nginx:1.27", reference)
	}
	if l.images == nil {
		l.images = map[string]*platform.Facts{}
	}
	l.images[name] = facts
	return nil
}

// Remove forgets an image.
func (l *Lock) Remove(reference string) {
	if name, ok := platform.NormalizeReference(reference); ok && l != nil {
		delete(l.images, name)
	}
}
