package azure

import (
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// onWindows looks for options that a Windows pool cannot have.
func (c *check) onWindows(p pool) {
	if !p.Platform.IsWindows() {
		return
	}
	at := p.givenAt + "options."
	not := func(id, path string, value any) {
		c.report(id, problem{path: at + path, value: value, detail: "not on Windows nodes", fix: "remove it"})
	}
	for _, path := range []string{"securityProfile.enableSecureBoot", "securityProfile.enableVTPM"} {
		if isTrue(option(p.given.Options, path)) {
			not("MK741", path, true)
		}
	}
	if path := "artifactStreamingProfile.enabled"; isTrue(option(p.given.Options, path)) {
		not("MK742", path, true)
	}
	for _, only := range []struct{ id, path string }{
		{"MK743", "gpuInstanceProfile"}, {"MK744", "linuxOSConfig"}, {"MK745", "messageOfTheDay"},
	} {
		if option(p.given.Options, only.path) != nil {
			not(only.id, only.path, nil)
		}
	}
	if runtime := open(option(p.given.Options, "workloadRuntime")); runtime != "" && runtime != "OCIContainer" {
		c.report("MK746", problem{
			path: at + "workloadRuntime", value: runtime, detail: "Windows nodes run containerd and nothing else", fix: "remove it, or use OCIContainer",
		})
	}
	c.kubeletConfig(at+"kubeletConfig", tree.Map(option(p.given.Options, "kubeletConfig")))
}

func (c *check) kubeletConfig(path string, config map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(config)) {
		if tree.Reveal(config[key]) != nil && !slices.Contains(kubeletOnWindows, key) {
			c.report("MK747", problem{
				path: path + "." + key, detail: "not on Windows nodes", fix: "remove it; there are " + strings.Join(kubeletOnWindows, ", "),
			})
		}
	}
}
