package kustomize

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/openapi"

	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// Reader builds kustomizations, and remembers the files that it has read. It is not for several goroutines at once.
type Reader struct {
	access *disk.Access
	// files has the files of each repository, by its root.
	files map[string]*copies
	// replaced are files with another content than on this machine, by their absolute paths without links.
	replaced map[string][]byte
}

// NewReader returns a reader of the files that an access opens.
func NewReader(access *disk.Access) *Reader {
	return &Reader{access: access, files: map[string]*copies{}, replaced: map[string][]byte{}}
}

// Replace lets builds read another content of a file, or a file that does not exist in a directory that does. It must
// be called before any build.
func (r *Reader) Replace(file string, text []byte) error {
	dir, err := r.access.Follow(filepath.Dir(file))
	if err != nil {
		return disk.Named(filepath.ToSlash(file), err)
	}
	at := filepath.Join(dir, filepath.Base(file))
	if to, err := r.access.Follow(at); err == nil {
		at = to
	}
	r.replaced[at] = text
	return nil
}

// Build is what a kustomization builds.
type Build struct {
	// Text has the objects in JSON, each in a line, in the order of kustomize.
	Text []byte
	// Objects is the number of objects.
	Objects int
	// Files are the files that the build has read, sorted: as paths of the directory that was built.
	Files []string
	// Charts are the Helm charts that kustomize would render, and that were left out.
	Charts []Chart

	reader *reader
	root   *accumulated
	// sources are the objects before any step, by their kinds; nil before they are needed. changesNames is true if a
	// patch may give an object another name.
	sources      map[string][]source
	changesNames bool
}

// Chart is a Helm chart that a kustomization names.
type Chart struct {
	Name string
	// File is the kustomization, and Line the field.
	File string
	Line int
}

// Build builds the kustomization of a directory. A [*RefusedError] error is the reason why it needs more than files, or
// names one that cannot be read; any other error is about the kustomization.
func (r *Reader) Build(dir string) (*Build, error) {
	one, err := r.reader(dir)
	if err != nil {
		return nil, err
	}
	root, err := one.reach(one.at)
	if err != nil {
		return nil, err
	}
	b := &Build{reader: one, root: root, Charts: one.charts}
	for _, file := range one.used {
		b.Files = append(b.Files, one.shown(file))
	}
	slices.Sort(b.Files)
	b.Files = slices.Compact(b.Files)
	if err := b.run(one.at); err != nil {
		return nil, fmt.Errorf("%s: %s", one.shown(root.kustomization.file), one.sentence(err))
	}
	return b, nil
}

// reader reads what one directory builds.
type reader struct {
	files *copies
	// root is the directory as it was named, and at is it without links.
	root, at       string
	names          map[string]string
	kustomizations map[string]readKustomization
	charts         []Chart
	used           []string
	// mutex is for traces, which several goroutines can follow.
	mutex sync.Mutex
	// included, size, objects and steps count what the build has: see its limits.
	included, size, objects, steps int
}

func (r *Reader) reader(dir string) (*reader, error) {
	at, err := r.access.Follow(dir)
	if err != nil {
		return nil, disk.Named(filepath.ToSlash(dir), err)
	}
	repository := disk.Repository(at)
	if r.files[repository] == nil {
		r.files[repository] = newCopies(r.access, at, r.replaced)
	}
	return &reader{
		files: r.files[repository], root: dir, at: at, names: map[string]string{},
		kustomizations: map[string]readKustomization{},
	}, nil
}

// shown returns the name of a file for messages: a path of the directory that was named.
func (r *reader) shown(at string) string {
	if name, known := r.names[at]; known {
		return name
	}
	name := at
	if below, err := filepath.Rel(r.at, at); err == nil {
		name = filepath.Join(r.root, below)
		// The way up from a directory behind a link is another one.
		if to, err := r.files.access.Follow(name); err != nil || to != at {
			name = at
		}
	}
	name = filepath.ToSlash(name)
	r.names[at] = name
	return name
}

func (r *reader) use(file string) { r.used = append(r.used, file) }

// addCharts remembers the charts of a kustomization.
func (r *reader) addCharts(k *kustomization) {
	add := func(field string, i int, name string) {
		r.charts = append(r.charts, Chart{name, r.shown(k.file), k.line(fmt.Sprintf("%s[%d]", field, i))})
	}
	for i, chart := range k.content.HelmCharts {
		add("helmCharts", i, chart.Name)
	}
	for i, chart := range k.content.HelmChartInflationGenerator {
		add("helmChartInflationGenerator", i, chart.ChartName)
	}
}

// schemas is locked while a build runs, because the library has one schema for all builds, and a build can bring
// another one.
var schemas sync.RWMutex

// run runs the library.
func (b *Build) run(at string) (err error) {
	schemas.Lock()
	defer schemas.Unlock()
	defer silence()()
	defer func() {
		// The library is a dependency; one kustomization must not end a run over many.
		if r := recover(); r != nil {
			err = fmt.Errorf("kustomize fails: %v", r)
		}
	}()
	if b.hasSchema() {
		defer openapi.ResetOpenAPI()
	}
	options := krusty.MakeDefaultOptions()
	// Flux builds so (https://fluxcd.io/flux/faq/), and which files may be read is decided before.
	options.LoadRestrictions = types.LoadRestrictionsNone
	built, err := krusty.MakeKustomizer(options).Run(withoutCharts{b.reader.files, b.reader}, at)
	if err != nil {
		if len(b.Charts) > 0 && strings.Contains(err.Error(), "kustomization.yaml is empty") {
			return nil // it has only charts
		}
		return err
	}
	var text bytes.Buffer
	for _, one := range built.Resources() {
		object, err := one.Map()
		if err != nil {
			return err
		}
		line, err := json.Marshal(object)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	b.Text, b.Objects = text.Bytes(), built.Size()
	return nil
}

// hasSchema reports whether a kustomization of the build brings a schema.
func (b *Build) hasSchema() bool {
	for _, read := range b.reader.kustomizations {
		if read.kustomization != nil && len(read.kustomization.content.OpenAPI) > 0 {
			return true
		}
	}
	return false
}

// silence discards what the library writes to standard error, such as names of variables that command a terminal. The
// returned function ends it.
func silence() func() {
	stderr := os.Stderr
	os.Stderr = nil // writing to it is an error, which the library ignores
	log.SetOutput(io.Discard)
	return func() {
		os.Stderr = stderr
		log.SetOutput(stderr)
	}
}

// withoutCharts are the copies, with kustomizations that have no charts.
type withoutCharts struct {
	*copies
	reader *reader
}

// ReadFile returns the content of a file.
func (w withoutCharts) ReadFile(path string) ([]byte, error) {
	s := w.stat(path)
	if k := w.reader.kustomizations[filepath.Dir(s.at)].kustomization; k != nil && k.file == path && k.hasCharts() {
		content := k.content
		content.HelmCharts, content.HelmChartInflationGenerator, content.HelmGlobals = nil, nil, nil
		return json.Marshal(content)
	}
	return w.copies.ReadFile(path)
}

func (k *kustomization) hasCharts() bool {
	return len(k.content.HelmCharts)+len(k.content.HelmChartInflationGenerator) > 0
}

// cause returns an error without the path that it is about.
func cause(err error) string {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return err.Error()
}

// sentence returns an error of the library in one line, with paths as they are shown.
func (r *reader) sentence(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, "recursed accumulation of path '"); i >= 0 {
		if _, rest, is := strings.Cut(text[i:], "': "); is {
			text = rest
		}
	}
	// After a resource that it refuses as a file, the library tries it as a directory, which it is not.
	text, _, _ = strings.Cut(text, "': must build at directory: ")
	for trimmed := ""; trimmed != text; { // the library adds the same words at each directory
		trimmed = text
		for _, prefix := range []string{"accumulating resources: ", "accumulating components: ", "accumulation err='"} {
			text = strings.TrimPrefix(text, prefix)
		}
	}
	text, _, _ = strings.Cut(text, " for the following resource:") // it may be secret
	text = strings.ReplaceAll(text, r.at, filepath.ToSlash(r.root))
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxSentence {
		text = text[:maxSentence] + " …"
	}
	return text
}

// maxSentence is how much of an error of the library is shown, in bytes: it quotes whole files.
const maxSentence = 300
