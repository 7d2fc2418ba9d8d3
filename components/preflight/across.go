package preflight

// Across returns what is wrong between objects, by the index of the object that
// it is about: a RuntimeClass and the pods that name it, a Service and its pods.
// What is wrong with each object alone is [Checker.Check]'s to say.
func (c *Checker) Across(objects []map[string]any) map[int][]Finding {
	return nil
}
