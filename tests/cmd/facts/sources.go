package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	address = regexp.MustCompile(`https://[^\s"),]+`)
	// event matches the address of a change, a discussion or a release, which says itself when something happened.
	event = regexp.MustCompile(`/(pull|issues|releases/tag)/`)
)

// hasSources returns an error if a row of a declaration names a page or a file of a site or repository that no mark of
// the declaration names.
func (f fact) hasSources(file *ast.File, declaration *ast.GenDecl) error {
	var sites []string
	for _, source := range f.sources {
		sites = append(sites, siteOf(source))
	}
	for _, source := range rowSources(file, declaration) {
		if !slices.Contains(sites, siteOf(source)) {
			return fmt.Errorf("%s has a row with the source %s: write another %s, with the day on which it was read",
				f.name(), source, mark)
		}
	}
	return nil
}

// siteOf returns the repository or the part of a site that an address is in: pages in it are read together.
func siteOf(address string) string {
	address, _, _ = strings.Cut(strings.TrimPrefix(address, "https://"), "#")
	parts := strings.Split(address, "/")
	return strings.Join(parts[:min(len(parts), 3)], "/")
}

// rowSources returns the addresses in the comments and texts of a declaration, and in the constants that it names.
func rowSources(file *ast.File, declaration *ast.GenDecl) []string {
	var all []string
	for _, group := range file.Comments {
		if declaration.Pos() < group.Pos() && group.End() <= declaration.End() {
			all = append(all, address.FindAllString(group.Text(), -1)...)
		}
	}
	constants := constantsIn(file)
	ast.Inspect(declaration, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			all = append(all, address.FindAllString(n.Value, -1)...)
		case *ast.Ident:
			all = append(all, address.FindAllString(constants[n.Name], -1)...)
		}
		return true
	})
	return slices.DeleteFunc(all, event.MatchString)
}

// constantsIn returns the texts of the constants of a file, by name.
func constantsIn(file *ast.File) map[string]string {
	all := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Names) == len(spec.Values) {
			for i, value := range spec.Values {
				ast.Inspect(value, func(n ast.Node) bool {
					if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
						text, _ := strconv.Unquote(literal.Value)
						all[spec.Names[i].Name] += text
					}
					return true
				})
			}
		}
		return true
	})
	return all
}
