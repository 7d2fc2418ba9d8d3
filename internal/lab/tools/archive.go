package tools

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// releases is the base address of the archives, which are at <release>/<file>.
	releases = "https://" + modulePath + "/releases/download"
	// urlVariable names a mirror of releases in the environment; off disables
	// requests. The recorded sums apply to a mirror, too.
	urlVariable = "MIXEDKUBE_TOOLS_URL"
	off         = "off"
)

// archive is a record of a file with ready-made tools. The records of all
// platforms are in the file archives.json.
type archive struct {
	// Release is the tag of the release that it is attached to.
	Release string `json:"release"`
	// Platform is the platform that its binaries run on, linux/amd64 for example.
	Platform string   `json:"platform"`
	SHA256   string   `json:"sha256"`
	Size     int64    `json:"size"`
	Members  []member `json:"members"`
}

// member is a tool's binary in an archive.
type member struct {
	Tool    string `json:"tool"`
	Version string `json:"version"`
	// Key is the key of the recipe that it was built with.
	Key    string `json:"key"`
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// file returns the archive's name.
func (a archive) file() string { return fileName(a.Platform) + ".tar.gz" }

// fileName returns the name of a platform's archive and of its record, without their
// extensions.
func fileName(platform string) string {
	return "mixedkube-tools-" + strings.ReplaceAll(platform, "/", "-")
}

// address returns the address that the archive is fetched from, in an environment.
func (a archive) address(environ []string) (*url.URL, error) {
	base := cmp.Or(getenv(environ, urlVariable), releases)
	address, err := url.Parse(base)
	if err != nil || address.Scheme != "https" && address.Scheme != "http" || address.Host == "" {
		return nil, fmt.Errorf("%s is %q: set it to an http or https address, or to %q", urlVariable, base, off)
	}
	return address.JoinPath(a.Release, a.file()), nil
}

// has reports whether the archive has exactly the tool to build.
func (a archive) has(at location) bool {
	return slices.ContainsFunc(a.Members, func(m member) bool {
		return m.Tool == at.name && m.Version == at.pinned && m.Key == at.key
	})
}

// named returns the member with that name, regardless of its recipe.
func (a archive) named(tool string) (m member, ok bool) {
	i := slices.IndexFunc(a.Members, func(m member) bool { return m.Tool == tool })
	if i < 0 {
		return member{}, false
	}
	return a.Members[i], true
}

// recorded returns the checkout's archive for the cache's platform. The archive has no
// members if none is recorded, or if archives are disabled.
func (c *Cache) recorded() (archive, error) {
	if c.archivesOff() {
		return archive{}, nil
	}
	all, err := readArchives(c.Root)
	for _, a := range all {
		if a.Platform == c.platform.String() {
			return a, nil
		}
	}
	return archive{}, err
}

// archivesOff reports whether the user has disabled archives, so that all tools are built.
func (c *Cache) archivesOff() bool { return getenv(c.environ, urlVariable) == off }

// withoutArchive returns the reason to build tools without looking into an archive. It is
// empty if an archive is recorded for the cache's platform.
func (c *Cache) withoutArchive() string {
	if c.archivesOff() {
		return " (" + urlVariable + " is " + off + ")"
	}
	if a, err := c.recorded(); err == nil && a.Members == nil {
		return " (no archive is recorded for " + c.platform.String() + ")"
	}
	return ""
}

func readArchives(root string) ([]archive, error) {
	path := filepath.Join(root, "internal", "lab", "tools", "archives.json")
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file: it records the archives of prebuilt tools: restore it from git",
			path)
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	var all []archive
	if err := decoder.Decode(&all); err != nil {
		return nil, fmt.Errorf("%s: %w: compare it with git", path, err)
	}
	return all, nil
}
