package topology

import "github.com/mixedkube/mixedkube/components/platform"

// RuntimeClassName returns the name of the RuntimeClass for a Windows platform, which is the name of the platform, for
// example windows-2022. It returns "" for Linux, which has no RuntimeClass.
func RuntimeClassName(p platform.Platform) string {
	if !p.IsWindows() {
		return ""
	}
	return p.String()
}
