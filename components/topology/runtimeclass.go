package topology

import "github.com/mixedkube/mixedkube/components/platform"

// RuntimeClassName is the name of the RuntimeClass that leads pods to the nodes
// of a Windows platform: the platform's own, windows-2022 for example. Linux has
// none, so its name is empty.
func RuntimeClassName(p platform.Platform) string {
	if !p.IsWindows() {
		return ""
	}
	return p.String()
}
