package preflight

import "github.com/mixedkube/mixedkube/core/platform"

// onWindows checks fields that the API server accepts and Windows ignores, and fields that are wrong on any node.
func (c *check) onWindows(p *judged) {
	c.overheadWithoutClass(p)
	c.fileSystems(p)
	c.onLinux(p)
	if p.target.OS() != platform.WindowsOS {
		return
	}
	c.volumes(p)
	c.lifecycle(p)
	c.csiProxy(p)
}

// Defaults that the API server sets: every object that was read from a cluster has them, so they are not explicit.
const defaultMode = 0o644
