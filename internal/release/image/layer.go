package image

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"io"
	"path"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// file is a file of an image, or a directory without content.
type file struct {
	name    string
	content []byte
	mode    int64
}

// layers creates a layer from each list of files.
func (r Release) layers(lists ...[]file) ([]mutate.Addendum, error) {
	var layers []mutate.Addendum
	for _, files := range lists {
		text, err := r.archive(files)
		if err != nil {
			return nil, err
		}
		layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(text)), nil
		}, tarball.WithMediaType(types.OCILayer))
		if err != nil {
			return nil, err
		}
		layers = append(layers, mutate.Addendum{Layer: layer, History: v1.History{
			Created: v1.Time{Time: r.Created.UTC()}, CreatedBy: "mixedkube: " + files[0].name,
		}})
	}
	return layers, nil
}

// archive returns a layer as a tar file. The directories of a file come before it.
func (r Release) archive(files []file) ([]byte, error) {
	var text bytes.Buffer
	w := tar.NewWriter(&text)
	made := map[string]bool{}
	for _, f := range files {
		var above []string
		for dir := path.Dir(f.name); dir != "." && !made[dir]; dir = path.Dir(dir) {
			made[dir] = true
			above = append(above, dir)
		}
		slices.Reverse(above)
		for _, dir := range above {
			if err := w.WriteHeader(r.header(file{name: dir, mode: 0o755})); err != nil {
				return nil, err
			}
		}
		if err := w.WriteHeader(r.header(f)); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return text.Bytes(), err
}

// header sets root as the owner, so that the program cannot change the image.
func (r Release) header(f file) *tar.Header {
	h := &tar.Header{
		Typeflag: tar.TypeReg, Name: f.name, Mode: f.mode, Size: int64(len(f.content)),
		ModTime: r.Created.UTC(), Format: tar.FormatPAX,
	}
	if f.content == nil {
		h.Typeflag, h.Name = tar.TypeDir, strings.TrimSuffix(f.name, "/")+"/"
	}
	return h
}

// authorities returns the certificates that Mozilla trusts, from Go's own module. It leaves out the certificates that
// Mozilla trusts with constraints, which a file of certificates cannot express.
func authorities() ([]byte, error) {
	var text bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue
		}
		if err := pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}
