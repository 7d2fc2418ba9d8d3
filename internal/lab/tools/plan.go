package tools

import (
	"crypto/sha256"
	_ "embed" // for weights.txt
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// planFormat makes `go list` print a package's import path, its module with the version,
// and its imports.
const planFormat = `{{.ImportPath}} {{with .Module}}{{.Path}}@{{with ` +
	`.Replace}}{{.Version}}{{else}}{{.Version}}{{end}}{{end}}@ {{join .Imports " "}}`

// plan has the packages of a build, by import path.
type plan struct{ packages map[string]planned }

// planned is a package.
type planned struct {
	// importPath and module, with its version, identify the package; the standard library
	// has no module.
	importPath, module string
	// id is the same in all builds that compile the same source with the same imports.
	id      string
	imports []string
}

// parsePlan parses the output of `go list -deps` in [planFormat]: a package comes after its
// imports.
func parsePlan(listed string) plan {
	p := plan{packages: map[string]planned{}}
	for line := range strings.Lines(listed) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		one := planned{importPath: words[0], module: strings.TrimSuffix(words[1], "@"), imports: words[2:]}
		hash := sha256.New()
		fmt.Fprintf(hash, "%q %q", one.importPath, one.module)
		for _, imported := range one.imports {
			fmt.Fprintf(hash, " %s", p.packages[imported].id)
		}
		one.id = hex.EncodeToString(hash.Sum(nil)[:8])
		p.packages[one.importPath] = one
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

// usualWeight is the weight of a package that is not in the file: most packages take less time.
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
	if weight, ok := weights()[p.importPath]; ok {
		return weight
	}
	return usualWeight
}
