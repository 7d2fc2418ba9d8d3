package preflight

// pod runs all checks of pods.
func (c *check) pod(p *judged) {
	c.guarded(p, func(c *check, p *judged) {
		c.images(p)
		c.onWindows(p)
		c.placed(p)
		c.missingFeatures(p)
		c.sidecars(p)
		c.checked(p)
	})
}
