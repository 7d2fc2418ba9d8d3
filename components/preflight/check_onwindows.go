package preflight

func (c *check) onWindows(*pods) {}
