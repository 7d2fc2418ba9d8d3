package completion

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// windowsPath begins with a drive, or is a named pipe.
var windowsPath = regexp.MustCompile(`^([A-Za-z]:|\\\\)`)

// hintsAtWindows says whether something about pods speaks of Windows. That decides
// nothing, but nobody should take such pods for Linux without asking.
func hintsAtWindows(spec map[string]any) bool {
	if hasWindowsOptions(spec) {
		return true
	}
	for _, key := range []string{"nodeSelector", "affinity", "tolerations"} {
		if speaksOfWindows(spec[key]) {
			return true
		}
	}
	for _, volume := range tree.List(spec["volumes"]) {
		if path, _ := tree.Text(tree.At(volume, "hostPath", "path")); windowsPath.MatchString(path) {
			return true
		}
	}
	for _, container := range Containers(spec) {
		if startsProgramOfWindows(container) {
			return true
		}
	}
	return false
}

// speaksOfWindows looks for the word in all keys and texts.
func speaksOfWindows(v any) bool {
	if text, ok := tree.Text(v); ok {
		return strings.Contains(strings.ToLower(text), "windows")
	}
	if slices.ContainsFunc(tree.List(v), speaksOfWindows) {
		return true
	}
	for key, element := range tree.Map(v) {
		if speaksOfWindows(key) || speaksOfWindows(element) {
			return true
		}
	}
	return false
}

func startsProgramOfWindows(container map[string]any) bool {
	for _, key := range []string{"command", "args"} {
		list := tree.List(container[key])
		if len(list) == 0 {
			continue
		}
		program, _ := tree.Text(list[0])
		program = strings.ToLower(program)
		return strings.HasSuffix(program, ".exe") || program == "powershell" || program == "cmd" || windowsPath.MatchString(program)
	}
	return false
}
