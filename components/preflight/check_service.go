package preflight

// service checks a Service itself. What is wrong with Services for Windows depends
// on the pods that they select: [Checker.Across] says it.
func (c *check) service() {}
