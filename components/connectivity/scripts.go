package connectivity

import (
	"embed"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
)

// scripts are the same in every cluster: a user's values reach them in variables, never as a part of their text.
//
//go:embed scripts/*
var scripts embed.FS

// powerShell is a full path: a host-process container has the PATH of its image, which
// has none.
const powerShell = `C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe`

// command runs a script in a container. Kubernetes expands $(NAME) in a command, and
// turns $$ into $.
func command(p platform.Platform, script string) []string {
	if p.IsWindows() {
		return []string{
			powerShell, "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-Command",
			escaped(script + ".ps1"),
		}
	}
	return []string{"sh", "-c", escaped(script + ".sh")}
}

// escaped returns the text of a script in the form for a command, with Unix line ends however it was checked out.
func escaped(name string) string {
	text, err := scripts.ReadFile("scripts/" + name)
	if err != nil {
		panic(err) // the names are those of embedded files
	}
	return strings.NewReplacer("\r\n", "\n", "$", "$$").Replace(string(text))
}
