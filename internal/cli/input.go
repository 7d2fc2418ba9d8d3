package cli

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/system/registry"
)

// stdinPath stands for standard input, stdinName is how it is shown.
const (
	stdinPath = "-"
	stdinName = "stdin"
	// stdoutPath stands for standard output.
	stdoutPath = "-"
)

// input opens the files of a command line, and looks up images in registries.
type input struct {
	stdin      io.Reader
	taken      bool
	registries registry.Client
	// access decides which files are read. allowLinks are the directories of --allow-links.
	access     disk.Access
	allowLinks []string
	watch      watch
	// notRead are files that were found and are not read, because another user has put them there.
	notRead []report.NotRead
	// named are the files that the command line names themselves.
	named map[string]bool
	// repository says what the listed files are.
	repository *repository.Repository
	// environmentsOf returns the environments that the configuration has for a file. It is nil without configuration.
	environmentsOf func(file string) []string
	// charts are the rendered charts: their templates are opened as if they were files.
	charts *charts
	// builds are the kustomizations that were built: they are opened as if they were files. It is nil if none is.
	builds *builds
}

var errTaken = errors.New("can be read only once: name a file for one of the two")

// chart returns the rendered chart at a path, false if there is none.
func (in *input) chart(path string) (rendered, bool) {
	if in.charts == nil {
		return rendered{}, false
	}
	chart, is := in.charts.done[path]
	return chart, is
}

// rendered returns a rendered template of a chart, false if the path is something else.
func (in *input) rendered(path string) ([]byte, bool) {
	if in.charts == nil {
		return nil, false
	}
	for _, name := range slices.Sorted(maps.Keys(in.charts.done)) {
		if one, is := in.charts.done[name].parts[path]; is {
			return one.text, true
		}
	}
	return nil, false
}

// open opens a file, what a kustomization builds, a template of a chart, or standard input.
func (in *input) open(path string) (io.ReadCloser, error) {
	if text, ok := in.rendered(path); ok {
		return io.NopCloser(bytes.NewReader(text)), nil
	}
	if b := in.built(path); b != nil {
		return io.NopCloser(bytes.NewReader(b.Text)), nil
	}
	if path != stdinPath {
		return in.access.Open(path)
	}
	if in.taken {
		return nil, errTaken
	}
	in.taken = true
	return io.NopCloser(in.stdin), nil
}

// leavesOut records a file that was found and is not read, and returns a note for standard error.
func (in *input) leavesOut(path, reason, fix string) string {
	note := report.NotRead{File: path, Reason: reason, Fix: fix}
	in.notRead = append(in.notRead, note)
	return "note: " + note.String()
}

// linksFlag adds the flag that allows links, for a command whose arguments are paths. The files of the command are read
// with its access.
func (in *input) linksFlag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&in.allowLinks, "allow-links", nil, "follow links into this `directory`; without it, "+
		"links stay in the repository, or else in the named directory; can be repeated")
	_ = cmd.MarkFlagDirname("allow-links")
	in.access.Fix = "name that file itself, or allow its directory with --allow-links"
	cmd.PreRunE = func(_ *cobra.Command, args []string) error {
		errs := []error{in.access.Name(args...)}
		for _, dir := range in.allowLinks {
			errs = append(errs, atFlag("--allow-links", in.access.AllowLinks(dir)))
		}
		return errors.Join(errs...)
	}
}

// secret returns the content of a file that other users must not be able to read, without space at its ends.
func (in *input) secret(path string) (string, error) {
	if path == stdinPath {
		text, err := in.text(path)
		return strings.TrimSpace(text), err
	}
	file, err := in.access.OpenSecret(path)
	if err != nil {
		return "", disk.Named(shown(path), err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, maxSecret))
	if err != nil {
		return "", disk.Named(shown(path), err)
	}
	return strings.TrimSpace(string(text)), nil
}

// maxSecret is how much of a file with tokens or keys is read, in bytes.
const maxSecret = 1 << 20

// lock reads the lock file of images that a flag names. The default is [images.DefaultFile], if it exists and no other
// user has put it there; the note about that goes to stderr.
func (in *input) lock(flag, path string, stderr io.Writer) (*images.Lock, error) {
	name := cmp.Or(path, images.DefaultFile)
	if path == "" {
		if reason, _ := in.access.OtherOwner(name); reason != "" {
			printLine(stderr, in.leavesOut(name, reason, "name it with "+flag+" to read it"))
			return nil, nil //nolint:nilnil // as below
		}
	}
	file, err := in.access.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && path == "":
		return nil, nil //nolint:nilnil // a nil lock has no facts
	case err != nil:
		return nil, disk.Named(shown(name), err)
	}
	defer func() { _ = file.Close() }()
	return images.Decode(file, shown(name))
}

// text returns the whole file, or a byte more than [manifests.ReadYAML] accepts. The error names the file.
func (in *input) text(path string) (string, error) {
	file, err := in.open(path)
	if err != nil {
		return "", disk.Named(shown(path), err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, manifests.MaxFileSize+1))
	if err != nil {
		return "", disk.Named(shown(path), err)
	}
	return string(text), nil
}

// shown returns a path for messages.
func shown(path string) string {
	if path == stdinPath {
		return stdinName
	}
	return filepath.ToSlash(path)
}

// fileNamed returns the path of a file, even if its name stands for standard input.
func fileNamed(name string) string {
	if name == stdinPath {
		return "./-"
	}
	return name
}

// fromShown returns the path of a file that messages name.
func fromShown(name string) string { return filepath.FromSlash(name) }

// shownAll returns several paths for messages.
func shownAll(paths []string) string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = shown(path)
	}
	return strings.Join(names, ", ")
}
