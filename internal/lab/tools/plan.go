package tools

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// planFormat has `go list` tell a package's import path, the version of its module,
// and what it imports.
const planFormat = `{{.ImportPath}}@{{with .Module}}{{.Version}}{{end}} {{join .Imports " "}}`

// plan are the packages of a build, by import path.
type plan struct{ packages map[string]planned }

// planned is a package. Its id is the same in all builds that compile the same
// source.
type planned struct {
	id      string
	imports []string
}

// parsePlan reads what `go list` says in [planFormat].
func parsePlan(listed string) plan {
	p := plan{packages: map[string]planned{}}
	for line := range strings.Lines(listed) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		importPath, _, _ := strings.Cut(words[0], "@")
		p.packages[importPath] = planned{id: words[0], imports: words[1:]}
	}
	return p
}

// before calls f with each package that is compiled before another one.
func (p plan) before(importPath string, f func(planned) (again bool)) {
	for _, imported := range p.packages[importPath].imports {
		if of, ok := p.packages[imported]; ok && f(of) {
			p.before(imported, f)
		}
	}
}

//go:embed weights.txt
var weightsFile string

// usualWeight is that of a package that is not in the file: most take less.
const usualWeight = 0.2

// weights are the processor seconds that packages took to compile when that was last
// measured (see `make bench-cold`), by import path.
var weights = sync.OnceValue(func() map[string]float64 {
	table := map[string]float64{}
	for line := range strings.Lines(weightsFile) {
		seconds, importPath, _ := strings.Cut(strings.TrimSpace(line), " ")
		if weight, err := strconv.ParseFloat(seconds, 64); err == nil {
			table[importPath] = weight
		}
	}
	return table
})

func (p planned) weight() float64 {
	importPath, _, _ := strings.Cut(p.id, "@")
	if weight, ok := weights()[importPath]; ok {
		return weight
	}
	return usualWeight
}
