package guard

// across logs what is wrong between objects.
func (g *guard) across(seen []*resource) {
	objects := make([]map[string]any, len(seen))
	for i, r := range seen {
		objects[i] = r.object
	}
	found := g.checker.Across(objects)
	for i := range seen {
		g.log(seen[i], found[i])
	}
}

func (g *guard) logLandings() {}
