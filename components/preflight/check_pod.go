package preflight

// pod runs all checks of pods.
func (c *check) pod(p *subject) {
	c.guarded(p, func(c *check, p *subject) {
		c.osNameMissing(p)
		c.osFields(p)
		c.windowsOptions(p)
		c.hostProcessFields(p)
		c.images(p)
		c.onWindows(p)
		c.placed(p)
		c.eks(p)
		c.missingFeatures(p)
		c.sidecars(p)
		c.annotated(p)
	})
}
