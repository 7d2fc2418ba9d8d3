package main

import (
	"cmp"
	"slices"
	"strings"
)

// item is a package in a plan.
type item struct {
	affected
	cost int // seconds
}

// plan is what a check runs, and the tests that it does not run.
type plan struct {
	changed, dependents []item
	// generated are packages that are not tested, but whose generated files are compared.
	generated []item
	// beyond are packages that cost too much, and labs end-to-end packages.
	beyond, labs []item
}

// linking is the seconds for the link of a test's binary, which the table of costs does not include.
const linking = 2

// estimate returns the cost of a package without a line in the table. The components' tests run programs under mocks,
// and the module of tests compares with large programs.
func estimate(g graph, dir string) int {
	switch {
	case g.startsLabs(dir):
		return 180
	case strings.HasPrefix(dir, "tests/") && !strings.HasPrefix(dir, "tests/internal/"):
		return 15
	case strings.HasPrefix(dir, "components/"):
		return 4
	default:
		return 2
	}
}

// startsLabs returns whether tests start labs, or parts of them, whose programs take long to build and to start.
func (g graph) startsLabs(dir string) bool {
	return strings.HasPrefix(dir, "tests/") && g.reaches(dir, "internal/lab", "internal/lab/cluster")
}

// newPlan chooses the tests of a check. It takes each changed package, except if it belongs to the module of tests and
// costs more than all dependents may. Then it takes dependents by distance and cost, as long as their sum is within
// the seconds. It takes a package that starts labs only if the package itself has changed.
func newPlan(g graph, packages []affected, costs map[string]int, within int) plan {
	var p plan
	var candidates []item
	for _, a := range packages {
		cost, known := costs[a.dir]
		if !known {
			cost = estimate(g, a.dir)
		}
		one := item{a, cost + linking}
		isChange := a.distance == 0
		isShort := one.cost <= within || !strings.HasPrefix(a.dir, "tests/")
		switch {
		case !g[a.dir].tested || slices.Contains(readEveryFile, a.dir):
			// The package has no tests, or its tests run anyway.
		case g.startsLabs(a.dir) && (!isChange || !isShort):
			p.labs = append(p.labs, one)
		case isChange && isShort:
			p.changed = append(p.changed, one)
		case isChange:
			p.beyond = append(p.beyond, one)
		default:
			candidates = append(candidates, one)
		}
	}
	slices.SortFunc(candidates, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.cost, b.cost), cmp.Compare(a.dir, b.dir))
	})
	rest := within
	for _, one := range candidates {
		if one.cost > rest {
			p.beyond = append(p.beyond, one)
			continue
		}
		rest -= one.cost
		p.dependents = append(p.dependents, one)
	}
	for _, one := range slices.Concat(p.beyond, p.labs) {
		if g[one.dir].generated {
			p.generated = append(p.generated, one)
		}
	}
	return p
}
