package release

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/internal/release/image"
)

// Names in the directory of a draft.
const (
	// FilesDir has the files that are attached to the release, and nothing else.
	FilesDir = "files"
	// ChecksumsFile is the list of the others in FilesDir, with their SHA-256, in the format of sha256sum.
	ChecksumsFile = "checksums.txt"
	// NotesFile is the text of the release.
	NotesFile = "notes.md"
)

// kind is a kind of file that is attached to a release.
type kind struct {
	what string
	// pattern matches the files: in the directory of the release, or in the checkout if they are committed.
	pattern   string
	committed bool
	// optional kinds may be missing from a snapshot.
	optional bool
}

var kinds = []kind{
	{what: "archives of the command", pattern: "mixedkube_*.tar.gz"},
	{what: "archives of the plugin", pattern: "pulumi-resource-mixedkube-v*.tar.gz", optional: true},
	{what: "bills of materials", pattern: "*.cdx.json"},
	{what: "the manifest for krew", pattern: "krew/mixedkube.yaml"},
	{what: "the SDK for npm", pattern: "sdk/*.tgz", optional: true},
	{what: "the SDK for pip", pattern: "sdk/*.whl", optional: true},
	{what: "the action", pattern: "action.yml", committed: true},
	{what: "the script of the action", pattern: "ci/check.sh", committed: true},
	{what: "the template for GitLab", pattern: "ci/gitlab.yml", committed: true},
}

// Draft writes the draft of a release into the directory out, which it replaces: all files that are attached, the list
// with the SHA-256 of each, and the notes. root is the checkout, and dist the output of GoReleaser, with the image and
// the SDKs in it. created is the time of the commit. Draft returns the names of the files.
func Draft(root, dist, out string, created time.Time) ([]string, error) {
	var metadata struct {
		Version string `json:"version"`
	}
	if err := decode(filepath.Join(dist, "metadata.json"), &metadata); err != nil {
		return nil, err
	}
	snapshot := strings.Contains(metadata.Version, "-SNAPSHOT-")
	sources, err := find(root, dist, snapshot)
	if err != nil {
		return nil, fmt.Errorf("the release %s is not complete:\n%w", metadata.Version, err)
	}
	files := filepath.Join(out, FilesDir)
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(files, 0o755)); err != nil {
		return nil, err
	}
	sums := map[string]string{}
	add := func(name string, write func(io.Writer) error) error {
		hash := sha256.New()
		err := create(filepath.Join(files, name), func(file io.Writer) error {
			return write(io.MultiWriter(file, hash))
		})
		sums[name] = hex.EncodeToString(hash.Sum(nil))
		return err
	}
	for _, source := range sources {
		if err := add(filepath.Base(source), func(w io.Writer) error { return copyTo(w, source) }); err != nil {
			return nil, err
		}
	}
	err = add("mixedkube_"+metadata.Version+"_image.tar", func(w io.Writer) error {
		return image.Archive(w, filepath.Join(dist, "image"), created)
	})
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(sums))
	err = create(filepath.Join(files, ChecksumsFile), func(w io.Writer) error {
		for _, name := range names {
			if _, err := fmt.Fprintf(w, "%s  %s\n", sums[name], name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return names, create(filepath.Join(out, NotesFile), func(w io.Writer) error {
		return copyTo(w, filepath.Join(root, "CHANGELOG.md"))
	})
}

// find returns the paths of the files of a release, except those that Draft makes. The error lists all missing kinds.
func find(root, dist string, snapshot bool) ([]string, error) {
	var sources []string
	var missing []error
	for _, k := range kinds {
		dir := dist
		if k.committed {
			dir = root
		}
		pattern := filepath.Join(dir, filepath.FromSlash(k.pattern))
		found, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 && (!snapshot || !k.optional) {
			missing = append(missing, fmt.Errorf("%s: no such file: a release has %s", pattern, k.what))
		}
		sources = append(sources, found...)
	}
	return sources, errors.Join(missing...)
}

// create writes a file that does not exist: two files of a release cannot have the same name.
func create(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

func copyTo(w io.Writer, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	_, err = io.Copy(w, file)
	return err
}
