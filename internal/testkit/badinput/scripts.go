package badinput

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var (
	// payloads are the literals of data in the scripts of package bootstrap. Each ends at the
	// first quote: if a value broke out of the literal, the rest would be in the script.
	payloads = regexp.MustCompile(`(?m)^\$Payload = '([^']*)'|^payload='([^']*)'$`)
	// literals matches the literals in the program of a command.
	literals = regexp.MustCompile(`'([0-9a-f]{64}|[A-Za-z0-9+/=]{40,}|` + encrypted + `)'`)
	// ciphertext matches text that only a machine with the key can decrypt.
	ciphertext = regexp.MustCompile(`^` + encrypted + `$`)
	// ranges and ports are data in rules for nft.
	ranges = regexp.MustCompile(`\b\d{1,3}(\.\d{1,3}){3}/\d{1,2}\b`)
	ports  = regexp.MustCompile(`\{ \d{1,5}(, \d{1,5})* \}`)
	// program matches files that a machine runs, or that configure what it runs.
	program = regexp.MustCompile(`\.(sh|ps1|service|path|timer|conf|nft)$`)
)

const (
	encodedCommand = "-EncodedCommand "
	// encrypted matches the output of bootstrap.PayloadKey.
	encrypted = `v1\.[A-Za-z0-9+/=]+\.[0-9a-f]{64}`
)

// NodeScripts returns the scripts that a machine runs from a text that package bootstrap has written: a document of
// cloud-init, a script or a command. The literals of their data are replaced.
func NodeScripts(text string) []string {
	if command, code, ok := strings.Cut(text, encodedCommand); ok {
		if b, err := base64.StdEncoding.DecodeString(code); err == nil {
			return []string{command, literals.ReplaceAllString(plain(b), "'<data>'")}
		}
	}
	if strings.HasPrefix(text, "#cloud-config\n") {
		return cloudScripts(text)
	}
	scripts := []string{payloads.ReplaceAllString(text, "<data>")}
	for _, found := range payloads.FindAllStringSubmatch(text, -1) {
		if ciphertext.MatchString(found[1] + found[2]) {
			continue
		}
		b, err := base64.StdEncoding.DecodeString(found[1] + found[2])
		if err != nil {
			return append(scripts, "not base64: "+found[0])
		}
		if tree, ok := fromJSON(plain(b)); ok {
			scripts = append(scripts, programs(tree)...)
		}
	}
	return scripts
}

// cloudScripts returns what cloud-init runs and installs, and the programs that it writes.
func cloudScripts(text string) []string {
	var scripts []string
	for _, document := range documents(text) {
		scripts = append(scripts, programs(document)...)
		if tree, ok := document.(map[string]any); ok {
			delete(tree, "write_files")
			scripts = append(scripts, inJSON(tree))
		}
	}
	return scripts
}

// programs returns the files in a tree whose paths are paths of programs.
func programs(tree any) []string {
	var found []string
	switch tree := tree.(type) {
	case map[string]any:
		content, isText := tree["content"].(string)
		if path, isFile := tree["path"].(string); isFile && isText {
			// Other files are data, and must not be at the path of a program.
			if program.MatchString(path) {
				if strings.HasSuffix(path, ".nft") {
					content = ports.ReplaceAllString(ranges.ReplaceAllString(content, "<range>"), "<ports>")
				}
				found = append(found, path+"\n"+content)
			}
			return found
		}
		for _, key := range slices.Sorted(maps.Keys(tree)) {
			found = append(found, programs(tree[key])...)
		}
	case []any:
		for _, element := range tree {
			found = append(found, programs(element)...)
		}
	}
	return found
}

// Commands returns what containers run, wherever they are in a tree.
func Commands(tree any) []string {
	var found []string
	switch tree := tree.(type) {
	case map[string]any:
		_, isContainer := tree["image"]
		if isContainer && (tree["command"] != nil || tree["args"] != nil) {
			found = append(found, inJSON([]any{tree["command"], tree["args"]}))
		}
		for _, key := range slices.Sorted(maps.Keys(tree)) {
			found = append(found, Commands(tree[key])...)
		}
	case []any:
		for _, element := range tree {
			found = append(found, Commands(element)...)
		}
	}
	return found
}

func inJSON(tree any) string {
	b, err := json.Marshal(tree)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
