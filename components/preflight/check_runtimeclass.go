package preflight

// runtimeClass checks a RuntimeClass itself.
func (c *check) runtimeClass() {}

// runtimeClassOf checks what pods say about their RuntimeClass.
func (c *check) runtimeClassOf(*pods) {}
