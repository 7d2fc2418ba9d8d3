package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
)

// ldflags are the linker flags of a tool: no symbol table, no debug information,
// the version stamped.
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

// recipeKey is a short hash of all that the tool's binary is made from. folder
// is its module folder.
func (t tool) recipeKey(version, goos, goarch string, folder fs.FS) (string, error) {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q %q %q %q CGO_ENABLED=0\n", t.name, t.pkg, t.ldflags(version), goos, goarch)
	fmt.Fprintf(hash, "%q %q %q\n", t.embed.module, t.embed.folder, t.embed.files)
	mod, sum := t.moduleFiles()
	for _, pattern := range []string{mod, sum, "*.go"} {
		names, err := fs.Glob(folder, pattern)
		if err != nil {
			return "", err
		}
		for _, name := range names {
			content, err := fs.ReadFile(folder, name)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(hash, "%q %q\n", name, content)
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:12], nil
}
