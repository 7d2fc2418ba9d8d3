package preflight

func (c *check) windowsOptions(*pods) {}
