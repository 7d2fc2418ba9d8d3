package mutate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// windowsPath matches a path that begins with a drive, or a named pipe.
var windowsPath = regexp.MustCompile(`^([A-Za-z]:|\\\\)`)

// windowsHint describes what hints at Windows in pods, "" if nothing does. A hint does not decide the
// platform, but such pods must not be treated as pods for Linux without asking the user.
func windowsHint(p *pods.Pods) string {
	if at := windowsOptions(p); at != "" {
		return at + " is set"
	}
	for _, key := range []string{"nodeSelector", "affinity", "tolerations"} {
		if mentionsWindows(p.Spec[key]) {
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

// place returns the path of a container in the pods' spec.
func place(c *pods.Container) string { return fmt.Sprintf("%s[%d]", c.List, c.Index) }

// windowsOptions returns the path of options for Windows in pods or containers, "" if there are none.
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

// mentionsWindows reports whether a key or a text contains the word.
func mentionsWindows(v any) bool {
	if text, ok := tree.Text(v); ok {
		return strings.Contains(strings.ToLower(text), "windows")
	}
	if slices.ContainsFunc(tree.List(v), mentionsWindows) {
		return true
	}
	for key, element := range tree.Map(v) {
		if mentionsWindows(key) || mentionsWindows(element) {
			return true
		}
	}
	return false
}

// windowsProgram returns the key with the Windows program that a container starts, "" if
// it does not start one.
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
		return "" // args are the arguments of this program
	}
	return ""
}
