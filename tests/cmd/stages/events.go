package main

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
)

// event is a line of `go test -json`, see `go doc test2json`.
type event struct{ Action, Package, Test, Output string }

// events turns the output of `go test -json` into that of `go test`, and collects the skipped tests: only
// the events show these, also those of cached results. It forwards lines that are not events.
type events struct {
	to      io.Writer
	rest    []byte
	running map[string]*tests
	skipped []skipped
}

func (e *events) Write(text []byte) (int, error) {
	e.rest = append(e.rest, text...)
	for {
		line, rest, ok := bytes.Cut(e.rest, []byte("\n"))
		if !ok {
			return len(text), nil
		}
		e.rest = rest
		var found event
		var err error
		if bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &found) == nil && found.Action != "" {
			err = e.handle(found)
		} else {
			_, err = e.to.Write(append(slices.Clone(line), '\n'))
		}
		if err != nil {
			return 0, err
		}
	}
}

// flush forwards the end of the output if it does not end with a line.
func (e *events) flush() error {
	_, err := e.to.Write(e.rest)
	e.rest = nil
	return err
}

func (e *events) handle(found event) error {
	if found.Package == "" { // of a build
		_, err := io.WriteString(e.to, found.Output)
		return err
	}
	pkg := e.running[found.Package]
	if pkg == nil {
		if e.running == nil {
			e.running = map[string]*tests{}
		}
		pkg = &tests{byName: map[string]*test{}}
		e.running[found.Package] = pkg
	}
	if found.Action == "output" {
		pkg.named(found.Test).add(found.Output)
		return nil
	}
	if found.Test == "" && slices.Contains([]string{"pass", "fail", "skip"}, found.Action) {
		delete(e.running, found.Package)
		_, err := io.WriteString(e.to, pkg.text(found.Action == "fail"))
		return err
	}
	if found.Test != "" {
		// Without an end, the test ran when the process ended.
		pkg.named(found.Test).action = found.Action
	}
	if found.Test != "" && found.Action == "skip" {
		name := strings.TrimPrefix(found.Package, module)
		e.skipped = append(e.skipped, skipped{name, found.Test, reason(pkg.named(found.Test).lines)})
	}
	return nil
}

// tests are the tests of a package in the order in which they started. The test "" has the output of the package.
type tests struct {
	all    []*test
	byName map[string]*test
}

type test struct {
	name, action string
	// frame is the line with the result, such as "--- FAIL", lines are the other lines.
	frame string
	lines []string
}

func (p *tests) named(name string) *test {
	if p.byName[name] == nil {
		p.byName[name] = &test{name: name}
		p.all = append(p.all, p.byName[name])
	}
	return p.byName[name]
}

// add adds a line. It leaves out those that only -json and -v show.
func (t *test) add(line string) {
	switch {
	case t.name == "":
		t.lines = append(t.lines, line)
	case strings.HasPrefix(line, "=== ") || line == t.name+"\n": // the latter announces a benchmark
	case strings.HasPrefix(line, "--- "):
		t.frame = line
	default:
		t.lines = append(t.lines, line)
	}
}

// text returns what `go test` shows of a package. In contrast to it, a package that fails shows nothing of the tests that
// pass, and each package shows which tests have sampled their cases.
func (p *tests) text(failed bool) string {
	var b strings.Builder
	var last []string
	if own := p.byName[""]; own != nil {
		// The last lines have the result.
		end := max(len(own.lines)-1, 0)
		if failed && end > 0 && (own.lines[end-1] == "FAIL\n" || own.lines[end-1] == "PASS\n") {
			end--
		}
		last = own.lines[end:]
		if failed {
			b.WriteString(strings.Join(own.lines[:end], ""))
		}
	}
	for _, t := range p.grouped() {
		if t.action == "pass" {
			b.WriteString(t.sampled())
		}
		if !failed || t.name == "" || t.action == "pass" || t.action == "skip" {
			continue
		}
		indent := strings.Repeat("    ", strings.Count(t.name, "/"))
		for _, line := range append([]string{t.frame}, t.lines...) {
			if line != "" {
				b.WriteString(indent + line)
			}
		}
	}
	b.WriteString(strings.Join(last, ""))
	return b.String()
}

// sampled returns the line of a test that runs only some of its cases, see tests/internal/sample: it repeats them.
func (t *test) sampled() string {
	for _, line := range t.lines {
		if _, text, found := strings.Cut(line, ": sampled: "); found {
			return t.name + ": sampled: " + text
		}
	}
	return ""
}

// grouped returns the tests with each test's subtests after it.
func (p *tests) grouped() []*test {
	first := map[string]int{}
	for i, t := range p.all {
		root, _, _ := strings.Cut(t.name, "/")
		if _, ok := first[root]; !ok {
			first[root] = i
		}
	}
	at := func(t *test) int {
		root, _, _ := strings.Cut(t.name, "/")
		return first[root]
	}
	sorted := slices.Clone(p.all)
	slices.SortStableFunc(sorted, func(a, b *test) int { return at(a) - at(b) })
	return sorted
}
