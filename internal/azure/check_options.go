package azure

// poolOptions looks for options that the component itself decides on.
func (c *check) poolOptions(p pool) {
	at := p.givenAt + "options."
	c.report("MK772", decidedProblems(p.given.Options, at, p.at, decidedForPool)...)
	c.report("MK772", decidedProblems(p.given.Options, at, p.givenAt, decidedBesidePool)...)
	c.report("MK772", decidedProblems(p.given.Options, at, "", decidedAroundPool)...)
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
