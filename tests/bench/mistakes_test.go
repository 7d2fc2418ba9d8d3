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

	"github.com/mixedkube/mixedkube/core/preflight"
)

// mistakes are manifests of workloads. Each has one mistake about Windows that makes it fail. The text after `# right:`
// is the correct content of the line. If there is no text, the correct manifest does not have the line.
//
//go:embed testdata/mistakes/*.yaml
var mistakes embed.FS

// rulesDir has a wrong example of each rule of preflight, and its correction.
var rulesDir = filepath.Join("internal", "core", "preflight", "examples")

// pair is the files of a manifest with a mistake and without it.
type pair struct{ wrong, right string }

// BenchmarkMistakes counts the mistakes that mixedkube check, kubeconform and kube-score find. A command finds a
// mistake if it has more complaints about the file with the mistake than about the file without it. With -short, only
// mixedkube check runs.
func BenchmarkMistakes(b *testing.B) {
	command := build(b)
	dir := b.TempDir()
	mixedkube := finder{&peer{command, []string{"check"}}, regexp.MustCompile(`: (error|warning): `), flags}
	for b.Loop() {
		for _, set := range []struct {
			what, unit string
			pairs      []pair
		}{
			{"mistakes in manifests of workloads", "mistakes", mistakesIn(b, dir)},
			{"mistakes in the examples of rules", "examples", ruleExamples(b)},
		} {
			all := len(set.pairs)
			found := mixedkube.found(b, set.pairs, true)
			reportFound(b, set.unit, "mixedkube", set.what, found, all, limit{1, true})
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

func reportFound(b *testing.B, unit, who, what string, found, all int, least limit) {
	b.Helper()
	report(b, unit+"/"+who, line{
		what: fmt.Sprintf("%s that %s finds, and all", what, who), measured: strconv.Itoa(found),
		baseline: strconv.Itoa(all), ratio: float64(found) / float64(all), limit: least,
	})
}

// finder is a command, a pattern that matches each of its complaints, and its flags for the files of a directory.
type finder struct {
	*peer

	complaint *regexp.Regexp
	more      func(b *testing.B, dir string) []string
}

// found counts the mistakes that the command finds. If spotless is set, the command must accept the right files.
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
			b.Errorf("%s refuses the correct file %s:\n%s", filepath.Base(f.command), p.right, right.out)
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

// flags returns the flags of mixedkube check for the files in a directory: other files in it describe the cluster.
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

// mistakesIn writes the manifests with mistakes and their corrections.
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
			content, correct, marked := strings.Cut(strings.TrimRight(l, "\n"), " # right:")
			wrong.WriteString(content + "\n")
			indent := content[:len(content)-len(strings.TrimLeft(content, " "))]
			switch correct = strings.TrimSpace(correct); {
			case !marked:
				right.WriteString(content + "\n")
			case correct != "":
				right.WriteString(indent + correct + "\n")
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

// ruleExamples returns the examples of the rules whose findings are errors.
func ruleExamples(b *testing.B) []pair {
	b.Helper()
	var all []pair
	rules := preflight.Rules()
	for _, rule := range rules[:small(len(rules), 20)] {
		dir := filepath.Join(checkout(b), rulesDir, rule.ID)
		if wrong := filepath.Join(dir, "bad.yaml"); rule.Severity == preflight.Error && exists(wrong) {
			all = append(all, pair{wrong, filepath.Join(dir, "good.yaml")})
		}
	}
	if len(all) == 0 {
		b.Fatal("there are no examples")
	}
	return all
}
