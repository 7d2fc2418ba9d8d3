package kustomize

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/api/types"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
)

// kustomization is the file of a directory that kustomize builds.
type kustomization struct {
	// file is an absolute path, dir its directory.
	file, dir string
	content   types.Kustomization
	// text is as it was written, doc its lines.
	text []byte
	doc  manifests.Document
}

// kustomization reads the kustomization of a directory.
func (r *reader) kustomization(dir string) (*kustomization, error) {
	if known, is := r.kustomizations[dir]; is {
		return known.kustomization, known.err
	}
	k, err := r.readKustomization(dir)
	r.kustomizations[dir] = readKustomization{k, err}
	return k, err
}

type readKustomization struct {
	kustomization *kustomization
	err           error
}

func (r *reader) readKustomization(dir string) (*kustomization, error) {
	k := &kustomization{dir: dir}
	for _, name := range repository.FileNames {
		file := filepath.Join(dir, name)
		if !r.files.Exists(file) {
			continue
		}
		if k.file != "" {
			return nil, fmt.Errorf("%s: the directory has %s as well: remove one", r.shown(file), filepath.Base(k.file))
		}
		text, err := r.files.read(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.shown(file), err)
		}
		k.file, k.text = file, text
	}
	if k.file == "" {
		return nil, fmt.Errorf("%s: has no kustomization.yaml", r.shown(dir))
	}
	docs, err := manifests.ReadObjects(bytes.NewReader(k.text), r.shown(k.file))
	switch {
	case err != nil:
		return nil, err
	case len(docs) != 1:
		return nil, fmt.Errorf("%s: has %d documents: it must have one", r.shown(k.file), len(docs))
	}
	k.doc = docs[0]
	if err := k.content.Unmarshal(k.text); err != nil {
		return nil, fmt.Errorf("%s: %s", r.shown(k.file), strings.TrimPrefix(err.Error(), "invalid Kustomization: "))
	}
	return k, nil
}

// line returns the line of a field.
func (k *kustomization) line(field string) int { return max(1, k.doc.Line(field)) }

// inlineLine returns the line of the file at which the content of a field begins, if the field is a literal block: only
// then each line of the content is a line of the file. It is 0 for other styles.
func (k *kustomization) inlineLine(field string) int {
	line := k.doc.Line(field)
	lines := bytes.SplitN(k.text, []byte("\n"), line+1)
	if line < 1 || len(lines) < line {
		return 0
	}
	text, _, _ := strings.Cut(strings.TrimRight(string(lines[line-1]), " \r"), " #")
	if text = strings.TrimRight(text, "-+0123456789 "); !strings.HasSuffix(text, "|") {
		return 0
	}
	return line + 1
}
