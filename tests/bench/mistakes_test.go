package bench

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/preflight"
)

// mistakes are manifests of workloads, each with one mistake about Windows for which it fails. What
// follows `# right:` in a line is right in its place, nothing where the line goes.
//
//go:embed testdata/mistakes/*.yaml
var mistakes embed.FS

// rulesFolder has an example of each rule of preflight that is wrong, and the same put right.
var rulesFolder = filepath.Join("components", "preflight", "testdata", "rules")

// pair is a manifest with a mistake, and without, in files.
type pair struct{ wrong, right string }

// BenchmarkMistakes counts how many mistakes mixedkube check, kubeconform and kube-score find. A
// mistake is found by who complains more about the file with it than about the same without. With
// -short mixedkube check runs alone.
func BenchmarkMistakes(b *testing.B) {
	command := build(b)
	dir := b.TempDir()
	ours := finder{&peer{command, []string{"check"}}, regexp.MustCompile(`: (error|warning): `), flags}
	for b.Loop() {
		for _, set := range []struct {
			what, unit string
			pairs      []pair
		}{
			{"mistakes in manifests of workloads", "mistakes", mistakesIn(b, dir)},
			{"mistakes that the examples of rules show", "examples", ruleExamples(b)},
		} {
			all := len(set.pairs)
			mine := ours.found(b, set.pairs, true)
			reportFound(b, set.unit, "mixedkube", set.what, mine, all, limit{1, true})
			if testing.Short() {
				continue
			}
			conform := finder{kubeconform(b), regexp.MustCompile("is invalid"), noFlags}
			reportFound(b, set.unit, "kubeconform", set.what, conform.found(b, set.pairs, false), all, limit{})
			score := finder{kubeScore(b), regexp.MustCompile(`\[(CRITICAL|WARNING)\]`), noFlags}
			reportFound(b, set.unit, "kube-score", set.what, score.found(b, set.pairs, false), all, limit{})
		}
	}
}

func reportFound(b *testing.B, unit, who, what string, found, all int, wanted limit) {
	b.Helper()
	report(b, unit+"/"+who, line{
		what: fmt.Sprintf("%s that %s finds, and all", what, who), ours: strconv.Itoa(found),
		theirs: strconv.Itoa(all), ratio: float64(found) / float64(all), limit: wanted,
	})
}

// finder is a command, what is in each of its complaints, and the flags for the files of a folder.
type finder struct {
	*peer

	complaint *regexp.Regexp
	more      func(b *testing.B, dir string) []string
}

// found counts the mistakes that are found. The command may have to take the right files.
func (f finder) found(b *testing.B, pairs []pair, spotless bool) int {
	b.Helper()
	found := 0
	for _, p := range pairs {
		right, wrong := f.look(b, p.right), f.look(b, p.wrong)
		if f.complaints(wrong) > f.complaints(right) {
			found++
		} else {
			b.Logf("%s does not find %s", filepath.Base(f.command), p.wrong)
		}
		if spotless && right.code != 0 {
			b.Errorf("%s refuses %s, which is right:\n%s", filepath.Base(f.command), p.right, right.out)
		}
	}
	return found
}

func (f finder) complaints(r run) int { return len(f.complaint.FindAllString(r.out, -1)) }

func (f finder) look(b *testing.B, file string) run {
	b.Helper()
	with := *f.peer
	with.args = append(slices.Clone(with.args), f.more(b, filepath.Dir(file))...)
	r := with.on(b, file)
	if r.code > 1 {
		b.Fatalf("%s on %s: exit code %d\n%s", f.command, file, r.code, r.out)
	}
	return r
}

// flags are those of mixedkube check for a file: what is beside it says what the cluster is.
func flags(b *testing.B, dir string) []string {
	b.Helper()
	all := []string{"--k8s", version}
	if file := filepath.Join(dir, "topology.yaml"); exists(file) {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		if bytes.Contains(text, []byte("kubernetesVersion")) {
			all = nil
		}
		all = append(all, "--topology", file)
	}
	if file := filepath.Join(dir, "images.yaml"); exists(file) {
		all = append(all, "--images", file)
	}
	return all
}

func noFlags(*testing.B, string) []string { return nil }

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// mistakesIn writes the manifests with mistakes, and those without.
func mistakesIn(b *testing.B, dir string) []pair {
	b.Helper()
	names, err := fs.Glob(mistakes, "testdata/mistakes/*.yaml")
	if err != nil {
		b.Fatal(err)
	}
	var all []pair
	for _, name := range names {
		text, err := mistakes.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		var wrong, right strings.Builder
		for l := range strings.Lines(string(text)) {
			is, instead, marked := strings.Cut(strings.TrimRight(l, "\n"), " # right:")
			wrong.WriteString(is + "\n")
			indent := is[:len(is)-len(strings.TrimLeft(is, " "))]
			switch instead = strings.TrimSpace(instead); {
			case !marked:
				right.WriteString(is + "\n")
			case instead != "":
				right.WriteString(indent + instead + "\n")
			}
		}
		if wrong.String() == right.String() {
			b.Fatalf("%s has no mistake", name)
		}
		stem := strings.TrimSuffix(filepath.Base(name), ".yaml")
		all = append(all, pair{
			writeFile(b, dir, stem+".wrong.yaml", wrong.String()),
			writeFile(b, dir, stem+".right.yaml", right.String()),
		})
	}
	return all
}

// ruleExamples are those of rules whose mistakes are errors.
func ruleExamples(b *testing.B) []pair {
	b.Helper()
	var all []pair
	rules := preflight.Rules()
	for _, rule := range rules[:small(len(rules), 20)] {
		dir := filepath.Join(checkout(b), rulesFolder, rule.ID)
		if wrong := filepath.Join(dir, "bad.yaml"); rule.Severity == preflight.Error && exists(wrong) {
			all = append(all, pair{wrong, filepath.Join(dir, "good.yaml")})
		}
	}
	if len(all) == 0 {
		b.Fatal("there are no examples")
	}
	return all
}
