package azure

import "github.com/mixedkube/mixedkube/components/topology"

// poolOptions looks for options that the component itself decides on.
func (c *check) poolOptions(p pool) {
	at := p.givenAt + "options."
	c.report("MK772", decidedProblems(p.given.Options, at, p.at, decidedForPool)...)
	c.report("MK772", decidedProblems(p.given.Options, at, p.givenAt, decidedBesidePool)...)
	c.report("MK772", decidedProblems(p.given.Options, at, "", decidedAroundPool)...)
}

// firstPoolOptions is about the first pool of mode System, which Azure makes together
// with the cluster.
func (c *check) firstPoolOptions() {
	for _, p := range c.pools {
		if p.Mode != topology.System {
			continue
		}
		if option(p.given.Options, "securityProfile") != nil {
			c.report("MK774", problem{
				path: p.givenAt + "options.securityProfile", detail: "Azure may refuse it in the pool that a cluster begins with",
				fix: "use it in another pool",
			})
		}
		return
	}
}

// decidedProblems takes the places of the options and of the arguments.
func decidedProblems(options map[string]any, at, arguments string, table []decided) []problem {
	var found []problem
	for _, d := range table {
		if option(options, d.option) != nil {
			found = append(found, problem{path: at + d.option, detail: "the component decides on it", fix: "give " + arguments + d.argument + " instead"})
		}
	}
	return found
}
