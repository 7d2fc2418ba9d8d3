package image

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Release is the input of an image.
type Release struct {
	// Version is the version of mixedkube, "0.1.0" for example, and Revision its commit.
	Version, Revision string
	// Created is the time of the commit, and of all files in the image.
	Created time.Time
	// Programs are the files of the program by their platforms. An image has at least one.
	Programs []Program
}

// Program is mixedkube for a platform.
type Program struct {
	// OS and Architecture are Go's words: linux and amd64. Linux containers run only on Linux.
	OS, Architecture string
	// Path is the path of the file on this machine.
	Path string
}

const (
	// unprivileged is a user without rights, as in the images that are called distroless.
	unprivileged = "65532:65532"
	// entrypoint is the path of the program in the image.
	entrypoint = "/usr/bin/mixedkube"
	// workdir is the working directory. Users mount the files to check there.
	workdir = "/work"
	source  = "https://github.com/mixedkube/mixedkube"
)

// Write replaces a directory with the image, and returns the digest of the image.
func Write(dir string, r Release) (string, error) {
	index, err := r.index()
	if err != nil {
		return "", fmt.Errorf("building the image of mixedkube %s: %w", r.Version, err)
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		return "", fmt.Errorf("writing the image into %s: %w", dir, err)
	}
	// Tools that copy images find an image in a layout by this name.
	named := layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": r.Version})
	if err := path.AppendIndex(index, named); err != nil {
		return "", fmt.Errorf("writing the image into %s: %w", dir, err)
	}
	digest, err := index.Digest()
	return digest.String(), err
}

// index returns the image of all platforms.
func (r Release) index() (v1.ImageIndex, error) {
	programs := slices.SortedFunc(slices.Values(r.Programs), func(a, b Program) int {
		return cmp.Or(cmp.Compare(a.OS, b.OS), cmp.Compare(a.Architecture, b.Architecture))
	})
	var parts []mutate.IndexAddendum
	for _, p := range programs {
		if p.OS != "linux" {
			return nil, fmt.Errorf("%s: %s/%s: an image without files of its system runs on linux only", p.Path, p.OS,
				p.Architecture)
		}
		one, err := r.image(p)
		if err != nil {
			return nil, err
		}
		parts = append(parts, mutate.IndexAddendum{Add: one, Descriptor: v1.Descriptor{
			Platform: &v1.Platform{OS: p.OS, Architecture: p.Architecture},
		}})
	}
	if len(parts) == 0 {
		return nil, errors.New("no program for linux: build it first")
	}
	index := mutate.AppendManifests(mutate.IndexMediaType(empty.Index, types.OCIImageIndex), parts...)
	return mutate.Annotations(index, r.labels()).(v1.ImageIndex), nil
}

// image returns the image of a platform.
func (r Release) image(p Program) (v1.Image, error) {
	program, err := os.ReadFile(p.Path)
	if err != nil {
		return nil, err
	}
	trusted, err := authorities()
	if err != nil {
		return nil, err
	}
	// The certificates change less often than the program: in a layer of their own, they are often on the host already.
	layers, err := r.layers(
		[]file{{name: "etc/ssl/certs/ca-certificates.crt", content: trusted, mode: 0o644}, {name: "work", mode: 0o777}},
		[]file{{name: entrypoint[1:], content: program, mode: 0o755}},
	)
	if err != nil {
		return nil, err
	}
	one := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	one, err = mutate.Append(one, layers...)
	if err != nil {
		return nil, err
	}
	config, err := one.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = p.OS, p.Architecture
	config.Created = v1.Time{Time: r.Created.UTC()}
	config.Config = v1.Config{
		Entrypoint: []string{entrypoint}, User: unprivileged, WorkingDir: workdir, Labels: r.labels(),
		Env: []string{"PATH=/usr/bin"},
	}
	return mutate.ConfigFile(one, config)
}

// labels returns the annotations of https://github.com/opencontainers/image-spec/blob/main/annotations.md.
func (r Release) labels() map[string]string {
	const prefix = "org.opencontainers.image."
	return map[string]string{
		prefix + "title":       "mixedkube",
		prefix + "description": "Finds errors with Windows in Kubernetes manifests",
		prefix + "licenses":    "Apache-2.0",
		prefix + "source":      source,
		prefix + "version":     r.Version,
		prefix + "revision":    r.Revision,
		prefix + "created":     r.Created.UTC().Format(time.RFC3339),
	}
}
