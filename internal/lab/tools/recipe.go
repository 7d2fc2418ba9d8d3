package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// ldflags returns the linker flags of a tool: without symbol table and debug information,
// with the version.
func (t tool) ldflags(version string) string {
	var flags strings.Builder
	flags.WriteString("-s -w")
	if t.stamp != nil {
		for _, variable := range t.stamp(version) {
			flags.WriteString(" -X " + variable)
		}
	}
	return flags.String()
}

// recipeKey returns a short hash of everything that the tool's binary is built from. The parameter tools
// is the directory internal/lab/tools.
func (t tool) recipeKey(version string, on platform, released bool, tools fs.FS) (string, error) {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q %q %q CGO_ENABLED=0\n", t.name, t.pkg, t.ldflags(version), on)
	fmt.Fprintf(hash, "%q %q %q\n", t.embed.module, t.embed.dir, t.embed.files)
	if t.siblings.module != "" {
		fmt.Fprintf(hash, "%q %q %q\n", t.siblings.module, t.siblings.dir, t.siblings.files)
	}
	names, err := t.graph(released).files(tools)
	if err != nil {
		return "", err
	}
	names = append(names, "goflags")
	// These are the directory's own package, and the packages of a module in a subdirectory.
	for _, pattern := range []string{"*.go", "*/*.go"} {
		sources, err := fs.Glob(tools, path.Join(t.dir, pattern))
		if err != nil {
			return "", err
		}
		names = append(names, sources...)
	}
	for _, name := range names {
		content, err := fs.ReadFile(tools, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(hash, "%q %q\n", name, content)
	}
	return hex.EncodeToString(hash.Sum(nil))[:12], nil
}
