package mutate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/pods"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// windowsPath begins with a drive, or is a named pipe.
var windowsPath = regexp.MustCompile(`^([A-Za-z]:|\\\\)`)

// windowsHint is what speaks of Windows about pods, "" if nothing does. That decides
// nothing, but nobody should take such pods for Linux without asking.
func windowsHint(p *pods.Pods) string {
	if at := windowsOptions(p); at != "" {
		return at + " is set"
	}
	for _, key := range []string{"nodeSelector", "affinity", "tolerations"} {
		if speaksOfWindows(p.Spec[key]) {
			return "Windows is mentioned in " + key
		}
	}
	for i, volume := range tree.List(p.Spec["volumes"]) {
		if path, _ := tree.Text(tree.At(volume, "hostPath", "path")); windowsPath.MatchString(path) {
			return fmt.Sprintf("volumes[%d].hostPath.path is a Windows path", i)
		}
	}
	for i := range p.Containers {
		container := &p.Containers[i]
		if key := windowsProgram(container.Spec); key != "" {
			return place(container) + "." + key + " is a Windows program"
		}
		if image, _ := tree.Text(container.Spec["image"]); platform.MentionsWindows(image) {
			return "Windows is mentioned in " + place(container) + ".image"
		}
	}
	return ""
}

// place is where a container is in the pods' spec.
func place(c *pods.Container) string { return fmt.Sprintf("%s[%d]", c.List, c.Index) }

// windowsOptions is where pods or containers have options for Windows, "" if none has.
func windowsOptions(p *pods.Pods) string {
	const options = "securityContext.windowsOptions"
	if pods.IsSet(p.Security, "windowsOptions") {
		return options
	}
	for i := range p.Containers {
		if pods.IsSet(p.Containers[i].Security, "windowsOptions") {
			return place(&p.Containers[i]) + "." + options
		}
	}
	return ""
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

// windowsProgram is the key with a program of Windows that a container starts, "" if
// it starts none.
func windowsProgram(container map[string]any) string {
	for _, key := range []string{"command", "args"} {
		list := tree.List(container[key])
		if len(list) == 0 {
			continue
		}
		program, _ := tree.Text(list[0])
		program = strings.ToLower(program)
		if strings.HasSuffix(program, ".exe") || program == "powershell" || program == "cmd" ||
			windowsPath.MatchString(program) {
			return key
		}
		return "" // what comes after it are its arguments
	}
	return ""
}
