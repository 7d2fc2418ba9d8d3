package api

import (
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	// released has the API of the last release: each line of the files of docs/api, after its package.
	released  = files + "/released.txt"
	changelog = "CHANGELOG.md"
	// unreleased is in the heading of the version that is next.
	unreleased = "not released yet"
)

var writeReleased = flag.Bool("write-released", false, "write "+released+", as make released-api does")

// section is a version in CHANGELOG.md.
type section struct{ version, text string }

var versionHeading = regexp.MustCompile(`(?m)^## \[(\S+)\].*$`)

// sections returns the one that is not released yet, which is empty if there is none, and the last released version.
func sections(changelog string) (next section, last string) {
	headings := versionHeading.FindAllStringSubmatchIndex(changelog, -1)
	for i, at := range headings {
		version := changelog[at[2]:at[3]]
		if !strings.Contains(changelog[at[0]:at[1]], unreleased) {
			return next, version
		}
		end := len(changelog)
		if i+1 < len(headings) {
			end = headings[i+1][0]
		}
		next = section{version, changelog[at[1]:end]}
	}
	return next, ""
}

// releasedText returns the file for a version, which is "" before the first release.
func releasedText(version string, lines []string) string {
	if version == "" {
		return "# No version is released yet. `make released-api` writes this file at a release.\n"
	}
	return fmt.Sprintf("# The API of version %s. Written by `make released-api`.\n", version) +
		strings.Join(lines, "\n") + "\n"
}

// TestTheLastReleaseHasItsAPI holds that a release writes its API: as long as nothing follows it, that is the current
// one. With -write-released it writes the file.
func TestTheLastReleaseHasItsAPI(t *testing.T) {
	t.Parallel()
	next, last := sections(read(t, changelog))
	if *writeReleased {
		if next.version != "" {
			t.Fatalf("%s: the section of version %s says %q: write the day of its release first", changelog,
				next.version, unreleased)
		}
		text := releasedText(last, current(t))
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(released)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text := read(t, released)
	heading, _, _ := strings.Cut(releasedText(last, nil), "\n")
	if first, _, _ := strings.Cut(text, "\n"); first != heading {
		t.Fatalf("%s begins with %q, want %q: run make released-api", released, first, heading)
	}
	if next.version != "" || last == "" {
		return
	}
	if diff := cmp.Diff(linesOf(text), current(t)); diff != "" {
		t.Errorf("the API differs from the one of version %s: add the section of the next version to %s, with %q in "+
			"its heading (-released +current):\n%s", last, changelog, unreleased, diff)
	}
}

// linesOf returns the lines of the file, without its heading.
func linesOf(text string) []string {
	_, lines, _ := strings.Cut(text, "\n")
	return strings.FieldsFunc(lines, func(r rune) bool { return r == '\n' })
}

func TestChangesOfTheReleasedAPIAreInTheChangelog(t *testing.T) {
	t.Parallel()
	next, _ := sections(read(t, changelog))
	for _, finding := range unnamed(linesOf(read(t, released)), current(t), next.text) {
		t.Error(finding)
	}
}

// unnamed lists the released lines that the API no longer has and that a section of the changelog does not name: by
// the name of the constant, variable, function, type, method or field, such as `aks.ClusterArgs.Tags`. The name of a
// removed type, or the path of a removed package, covers everything in it.
func unnamed(released, current []string, section string) []string {
	names := namesIn(section)
	var findings []string
	for _, line := range released {
		if slices.Contains(current, line) {
			continue
		}
		enough := namesOf(line, current)
		if !slices.ContainsFunc(enough, func(name string) bool { return names[name] }) {
			findings = append(findings, fmt.Sprintf("the last release has this line, which is removed or changed: %q\n"+
				"restore it, or write what changes for users into the section of %s that is not released yet, with "+
				"the name `%s`", line, changelog, enough[0]))
		}
	}
	return findings
}

var (
	name = regexp.MustCompile(`[\w/-]+(?:\.\w+)*`)
	// declared matches a line of the API: its package, the receiver or the type, and the name or the member.
	declared = regexp.MustCompile(
		`^([\w/]+): (?:(?:const|var|func) (\w+)|method \(\*?(\w+)\) (\w+)|` +
			`type (\w+)(?:\[.*?\])?(?: (?:struct|interface), (?:embedded (\S+)|(\w+)))?)`)
)

// namesIn returns the names in a section, with and without the directory of their package.
func namesIn(section string) map[string]bool {
	names := map[string]bool{}
	for _, found := range name.FindAllString(section, -1) {
		names[found] = true
		if strings.Contains(path.Base(found), ".") {
			names[path.Base(found)] = true
		}
	}
	return names
}

// namesOf returns the names that tell a reader about the change of a line: first its own.
func namesOf(line string, current []string) []string {
	m := declared.FindStringSubmatch(line)
	if m == nil {
		return []string{line}
	}
	dir, pkg := m[1], path.Base(m[1])
	outer := m[3] + m[5]
	member := m[4] + m[7]
	if m[6] != "" {
		member = m[6][strings.LastIndexAny(m[6], "./*")+1:]
	}
	var names []string
	switch {
	case outer == "":
		names = []string{pkg + "." + m[2]}
	case member == "":
		names = []string{pkg + "." + outer}
	default:
		names = []string{pkg + "." + outer + "." + member}
	}
	has := func(prefix string) bool {
		return slices.ContainsFunc(current, func(line string) bool {
			rest, ok := strings.CutPrefix(line, prefix)
			return ok && !regexp.MustCompile(`^\w`).MatchString(rest)
		})
	}
	if member != "" && !has(dir+": type "+outer) {
		names = append(names, pkg+"."+outer)
	}
	if !slices.ContainsFunc(current, func(line string) bool { return strings.HasPrefix(line, dir+": ") }) {
		names = append(names, dir)
	}
	return names
}
