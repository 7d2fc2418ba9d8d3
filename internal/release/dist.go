// Package release reads the output of GoReleaser, and collects the files that are attached to a release, with the list
// of their checksums. Its subpackage image builds the container image.
package release

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/mixedkube/mixedkube/internal/release/image"
)

// artifact is a file of a release, as GoReleaser lists it in artifacts.json.
type artifact struct {
	Path         string `json:"path"`
	OS           string `json:"goos"`
	Architecture string `json:"goarch"`
	Type         string `json:"type"`
	Extra        struct {
		// ID is the ID of the build in .goreleaser.yaml.
		ID string `json:"ID"`
	} `json:"extra"`
}

// Read reads the directory of a release, and returns the contents of its image. The paths in the directory's lists are
// relative to root, where GoReleaser ran. created is the time of the commit.
func Read(root, dir string, created time.Time) (image.Release, error) {
	var metadata struct {
		Version string `json:"version"`
		Commit  string `json:"commit"`
	}
	var artifacts []artifact
	if err := errors.Join(
		decode(filepath.Join(dir, "metadata.json"), &metadata),
		decode(filepath.Join(dir, "artifacts.json"), &artifacts),
	); err != nil {
		return image.Release{}, err
	}
	r := image.Release{Version: metadata.Version, Revision: metadata.Commit, Created: created}
	for _, a := range artifacts {
		if a.Type == "Binary" && a.Extra.ID == "mixedkube" && a.OS == "linux" {
			r.Programs = append(r.Programs, image.Program{
				OS: a.OS, Architecture: a.Architecture, Path: filepath.Join(root, filepath.FromSlash(a.Path)),
			})
		}
	}
	return r, nil
}

func decode(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%w: run make release-snapshot", err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}
