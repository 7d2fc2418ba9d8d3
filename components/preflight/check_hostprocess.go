package preflight

func (c *check) hostProcessFields(*pods) {}
