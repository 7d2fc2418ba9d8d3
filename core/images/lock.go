package images

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/mixedkube/mixedkube/core/platform"
)

// DefaultFile is the name of the lock file that the commands look for in the working directory.
const DefaultFile = "mixedkube.images.yaml"

// Lock has the facts about images, by reference. A nil Lock has none. Several goroutines may read it while none changes
// it.
type Lock struct {
	// images are the facts by normalized reference, nil for an image that has not been looked up.
	images map[string]*platform.Facts
	// digests are the facts for [Lock.pinned], nil before its first call and after a change.
	digests atomic.Pointer[map[string]*platform.Facts]
}

// Facts returns the facts about an image, however its reference is spelled: nginx and
// index.docker.io/library/nginx:latest are the same image. It returns nil if there are none. The result belongs to the
// lock: do not change it.
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
	return l.pinned(name)
}

// pinned returns the facts about a digest from the tags of its repository: for an index all of them, for one of its
// manifests those about that manifest.
func (l *Lock) pinned(name string) *platform.Facts {
	digests := l.digests.Load()
	if digests == nil {
		found := digestsOf(l.images)
		digests = &found
		l.digests.Store(digests)
	}
	return (*digests)[name]
}

// digestsOf returns the facts about digests, by repository@digest. The digest of a tag takes precedence over that of a
// manifest of another tag.
func digestsOf(tags map[string]*platform.Facts) map[string]*platform.Facts {
	all := map[string]*platform.Facts{}
	for name, facts := range tags {
		if repository, ok := taggedIn(name); ok && facts != nil {
			for _, v := range facts.Variants {
				all[repository+"@"+v.Digest] = &platform.Facts{Digest: v.Digest, Variants: []platform.Variant{v}}
			}
		}
	}
	for name, facts := range tags {
		if repository, ok := taggedIn(name); ok && facts != nil {
			all[repository+"@"+facts.Digest] = facts
		}
	}
	return all
}

// taggedIn returns the repository of a normalized reference, false if it has a digest and no tag.
func taggedIn(name string) (repository string, tagged bool) {
	if strings.Contains(name, "@") {
		return "", false
	}
	return name[:strings.LastIndexByte(name, ':')], true
}

// References returns the references of all images, normalized and sorted, including those that have not been looked up
// yet.
func (l *Lock) References() []string {
	if l == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(l.images))
}

// Set sets the facts about an image. If they are nil, the image has not been looked up yet: see [Lock.Facts].
func (l *Lock) Set(reference string, facts *platform.Facts) error {
	name, ok := platform.NormalizeReference(reference)
	if !ok {
		return fmt.Errorf("%q is not a valid image reference: write one such as nginx:1.27", reference)
	}
	if l.images == nil {
		l.images = map[string]*platform.Facts{}
	}
	l.images[name] = facts
	l.digests.Store(nil)
	return nil
}

// Remove removes an image.
func (l *Lock) Remove(reference string) {
	if name, ok := platform.NormalizeReference(reference); ok && l != nil {
		delete(l.images, name)
		l.digests.Store(nil)
	}
}
