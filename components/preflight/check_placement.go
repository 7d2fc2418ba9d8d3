package preflight

func (c *check) placed(*pods) {}
