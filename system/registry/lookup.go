package registry

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/mixedkube/mixedkube/core/platform"
)

// parse reads a reference with the grammar of package platform.
func parse(reference string) (name.Reference, *Error) {
	normalized, ok := platform.NormalizeReference(reference)
	if ok {
		if parsed, err := name.ParseReference(normalized); err == nil {
			return parsed, nil
		}
	}
	return nil, newFailure(reference, Invalid, "it is not an image reference", "write one such as nginx:1.27")
}

// lookup is the look-up of one image.
type lookup struct {
	ctx    context.Context
	image  name.Reference
	puller *remote.Puller
	found  []platform.Variant
}

func (c Client) newLookup(ctx context.Context, image name.Reference) *lookup {
	limits := newLimited(c.Transport, image.Context().RegistryStr())
	// Only contradicting options are an error.
	puller, err := remote.NewPuller(c.options(limits)...)
	if err != nil {
		panic(err)
	}
	return &lookup{ctx: ctx, image: image, puller: puller}
}

// facts requests the facts about the image, unless they are known and have not changed.
func (l *lookup) facts(known *platform.Facts) (*platform.Facts, error) {
	if known != nil && l.unchanged(known) {
		return known, nil
	}
	top, err := l.puller.Get(l.ctx, l.image)
	if err != nil {
		return nil, err
	}
	if err := l.read(top, 0); err != nil {
		return nil, err
	}
	if len(l.found) == 0 {
		return nil, &malformed{Malformed, "the index has no image"}
	}
	return &platform.Facts{Digest: top.Digest.String(), Variants: l.found}, nil
}

// unchanged reports whether a reference still leads to the same digest. A registry may not be able to answer that
// without the manifest.
func (l *lookup) unchanged(known *platform.Facts) bool {
	if _, fixed := l.image.(name.Digest); fixed {
		return true
	}
	head, err := l.puller.Head(l.ctx, l.image)
	return err == nil && head.Digest.String() == known.Digest
}

// read reads the manifest or index that a reference leads to, or an index inside of one.
func (l *lookup) read(at *remote.Descriptor, depth int) error {
	switch mediaType := mediaTypeOf(string(at.MediaType)); {
	case mediaType.IsIndex():
		return l.index(at.Manifest, depth)
	case mediaType.IsImage():
		return l.manifest(at, platform.Variant{})
	case mediaType.IsSchema1():
		return &malformed{
			Malformed, "it has the format of before 2016 (schema 1), which container runtimes do not pull",
		}
	default:
		return &malformed{Malformed, "the answer is neither an index nor a manifest"}
	}
}

// maxDepth is how deep indexes can be nested.
const maxDepth = 3

func (l *lookup) index(text []byte, depth int) error {
	var in index
	if err := json.Unmarshal(text, &in); err != nil {
		return &malformed{Malformed, "the index is not valid JSON of its kind"}
	}
	if depth == maxDepth {
		return &malformed{TooLarge, fmt.Sprintf("more than %d nested indexes", maxDepth)}
	}
	for _, d := range in.Manifests {
		mediaType := mediaTypeOf(d.MediaType)
		if d.attests() || !mediaType.IsIndex() && !mediaType.IsImage() {
			continue
		}
		v, err := d.variant()
		if err != nil {
			return err
		}
		if len(l.found) == MaxPlatforms {
			return &malformed{TooLarge, fmt.Sprintf("more than %d platforms", MaxPlatforms)}
		}
		// An index has the platforms of its entries.
		if mediaType.IsImage() && v.OS != "" && !detailed(v) {
			l.found = append(l.found, v)
			continue
		}
		below, err := l.puller.Get(l.ctx, l.image.Context().Digest(v.Digest))
		if err != nil {
			return err
		}
		// The digest guarantees that it is the one that the index names, whatever the registry calls it.
		below.MediaType = mediaType
		if mediaType.IsIndex() {
			err = l.index(below.Manifest, depth+1)
		} else {
			err = l.manifest(below, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// detailed reports whether the manifest of a platform is read, which is so for platforms of nodes in mixed clusters.
// The index has enough information about the others, and registries count manifests.
func detailed(v platform.Variant) bool {
	return v.OS == platform.WindowsOS || v.Architecture == "amd64" || v.Architecture == "arm64"
}

// manifest reads a manifest and its configuration. The platform in the index wins, because container runtimes choose by
// it.
func (l *lookup) manifest(at *remote.Descriptor, v platform.Variant) error {
	var m manifest
	if err := json.Unmarshal(at.Manifest, &m); err != nil {
		return &malformed{Malformed, "the manifest is not valid JSON of its kind"}
	}
	v.Digest = at.Digest.String()
	for _, layer := range m.Layers {
		if layer.Size < 0 || layer.Size > maxLayer {
			return &malformed{Malformed, fmt.Sprintf("a layer has %d bytes", layer.Size)}
		}
		v.Layers = append(v.Layers, layer.Size)
	}
	switch {
	case !digested.MatchString(m.Config.Digest):
		return &malformed{Malformed, "the manifest names no configuration"}
	case m.Config.Size > MaxAnswer:
		return errAnswer
	}
	image, err := at.Image()
	if err != nil {
		return err
	}
	text, err := image.RawConfigFile()
	if err != nil {
		return err
	}
	var c configuration
	if err := json.Unmarshal(text, &c); err != nil {
		return &malformed{Malformed, "the configuration is not valid JSON of its kind"}
	}
	if err := c.complete(&v); err != nil {
		return err
	}
	l.found = append(l.found, v)
	return nil
}

// mediaTypeOf returns a media type without its parameters.
func mediaTypeOf(text string) types.MediaType {
	mediaType, _, _ := strings.Cut(text, ";")
	return types.MediaType(strings.TrimSpace(mediaType))
}
