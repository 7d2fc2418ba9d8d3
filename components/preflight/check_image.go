package preflight

func (c *check) images(*pods) {}
