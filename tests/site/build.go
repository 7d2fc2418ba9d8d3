package site

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"

	"github.com/mixedkube/mixedkube/internal/lab/packages"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// Repository is the address of the repository on GitHub.
const Repository = "https://github.com/mixedkube/mixedkube"

// Site has the sources of a site, and its address.
type Site struct {
	// Pages is the directory of a checkout, or a directory with the same layout.
	Pages string
	// Config is the directory site of a checkout.
	Config string
	// Base is the path of the site on its host. It begins and ends with a slash.
	Base string
	// Installer caches the packages of npm, and built sites.
	Installer packages.Installer
}

// FromRoot returns the site of the checkout in root. It builds into the user's tool cache, and writes its progress to
// out.
func FromRoot(root, base string, out io.Writer) (Site, error) {
	cache, err := tools.FromRoot(root, out)
	if err != nil {
		return Site{}, err
	}
	return Site{
		Pages: root, Config: filepath.Join(root, "site"), Base: base,
		Installer: packages.Installer{Dir: filepath.Join(filepath.Dir(cache.Dir), "packages"), Out: out},
	}, nil
}

// settings are the settings that the configuration of VitePress reads.
type settings struct {
	Repository  string `json:"repository"`
	Base        string `json:"base"`
	Description string `json:"description"`
	// Pages has the files of the pages, by their path in the repository.
	Pages map[string]string `json:"pages"`
	// Generated are the files that users must not edit, and Directories the directories to which pages link.
	Generated []string `json:"generated"`
	Dirs      []string `json:"directories"`
	Sidebar   []item   `json:"sidebar"`
}

// Build builds the site, unless the cache has it, and returns its directory. The error is a
// [packages.UnavailableError] if the machine has no Node.js, or the packages are not available.
func (s Site) Build(ctx context.Context) (string, error) {
	files, err := s.files()
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(hash, "%q %d\n%s", name, len(files[name]), files[name])
	}
	built, err := s.Installer.Once(ctx, "site", hex.EncodeToString(hash.Sum(nil))[:12],
		func(ctx context.Context, dir string) error { return s.render(ctx, files, filepath.Join(dir, "html")) })
	return filepath.Join(built, "html"), err
}

// files returns the files that VitePress reads, by name: the pages, their pictures, and the configuration.
func (s Site) files() (map[string][]byte, error) {
	c, err := gather(os.DirFS(s.Pages))
	if err != nil {
		return nil, err
	}
	bar, err := c.sidebar()
	if err != nil {
		return nil, err
	}
	files := maps.Clone(c.pictures)
	set := settings{
		Repository: Repository, Base: s.Base, Description: c.pages[start].summary(), Pages: map[string]string{},
		Generated: []string{}, Dirs: slices.Sorted(maps.Keys(c.dirs)), Sidebar: bar,
	}
	for _, source := range c.sources() {
		p := c.pages[source]
		files[p.file] = p.text
		set.Pages[source] = p.file
		if p.generated {
			set.Generated = append(set.Generated, p.file)
		}
	}
	config := os.DirFS(s.Config)
	err = fs.WalkDir(config, ".", func(name string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.Name() == "node_modules" {
			return fs.SkipDir
		}
		if err == nil && entry.Type().IsRegular() {
			files[name], err = fs.ReadFile(config, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	files[".vitepress/site.json"], err = json.MarshalIndent(set, "", "  ")
	return files, err
}

// render runs VitePress, which writes the site into the directory out. It runs in a directory of its own, so that it
// does not change the checkout.
func (s Site) render(ctx context.Context, files map[string][]byte, out string) (err error) {
	installed, err := s.Installer.Locked(ctx, s.Config)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mixedkube-site-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		if err := os.MkdirAll(filepath.Join(dir, path.Dir(name)), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return err
		}
	}
	if err := os.Symlink(installed, filepath.Join(dir, "node_modules")); err != nil {
		return err
	}
	program := filepath.Join(installed, "vitepress", "bin", "vitepress.js")
	cmd := exec.CommandContext(ctx, "node", program, "build", "--outDir", out)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "NO_COLOR=1")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("vitepress build: %w\n%s", err, output)
	}
	return nil
}
