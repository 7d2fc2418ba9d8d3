package preflight

// service checks a Service itself.
func (c *check) service() {}
