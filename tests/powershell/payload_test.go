package powershell

import (
	"flag"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

var (
	count = flag.Int("scripts", 50, "how many scripts with random values to parse")
	seed  = flag.Uint64("seed", 1, "makes other values")
)

// payloadFormat finds the literal with the files. It ends at the first quote: had a value
// got out of the literal, the rest would be in the tree.
var payloadFormat = regexp.MustCompile(`\$Payload = '([^']*)'`)

// shape returns the syntax tree of a script except the text of the literal with the files.
func shape(tb testing.TB, script string) string {
	tb.Helper()
	found := payloadFormat.FindAllStringSubmatch(script, -1)
	if len(found) != 1 {
		tb.Fatalf("%d literals with files", len(found))
	}
	p := parse(tb, script)
	if p.HasError {
		tb.Fatalf("it is not valid PowerShell:\n%s", strings.Join(p.Problems, "\n"))
	}
	var b strings.Builder
	describe(p.Tree, &b)
	return strings.ReplaceAll(b.String(), found[0][1], "<files>")
}

func describe(n node, b *strings.Builder) {
	b.WriteString("(" + n.Type + " " + n.Text)
	for _, child := range n.Children {
		describe(child, b)
	}
	b.WriteString(")")
}

// harmlessShape returns the shape of the script for an arbitrary node.
func harmlessShape(tb testing.TB) string {
	tb.Helper()
	return shape(tb, bootstrap.WindowsScript(mustNodeFiles(tb, network.FlannelVXLAN, platform.WindowsServer2022,
		"1.36")))
}

// fragments would end the literal, or run, if they got into the code.
var fragments = []string{
	"'", "''", `"`, "`", "$", "$(", ")", "${", "}", "@'", "'@", "@\"", "\"@", "\n", "\r\n", "\r", ";", "|", "&", "#",
	"<#", "#>", "%", "\\", "/", ":", ",", "=", " ", "\t",
	"\u2018", "\u2019", "\u201a", "\u201c", "\u201d", "\u2028", "\u2029", "\u0085", "\ufeff", "\x00", "\x1a", "\x1b",
	"\xff", "%PAYLOAD%", "$Payload", "$Payload = ''",
	"exit 1", "Remove-Item C:\\", "iex", "--%", "kubelet", "win-1", "example.com/disk", "ключ", "😀", "a", "B", "0", "-",
	".", "_",
}

// random returns a text of fragments.
func random(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(8) {
		b.WriteString(fragments[r.IntN(len(fragments))])
	}
	return b.String()
}

// scriptsFor returns the scripts that hostile values can be in: one for a node of whom they
// are, unless they are refused, and one for files of which they are path and content,
// which WindowsScript takes from anyone.
func scriptsFor(v values, path, content string) []string {
	p := windowsPlatforms[len(content)%len(windowsPlatforms)]
	files := []bootstrap.File{
		{Path: path, Content: content, Secret: len(path)%2 == 0},
		{Path: v.Name, Content: v.Label + v.Taint + v.Token},
	}
	found := []string{bootstrap.WindowsScript(files)}
	if files, err := nodeFiles(network.UpstreamL3, p, "1.36", v); err == nil {
		found = append(found, bootstrap.WindowsScript(files))
	}
	return found
}

func TestRandomValuesDoNotChangeTheScript(t *testing.T) {
	want := harmlessShape(t)
	r := rand.New(rand.NewPCG(*seed, 0))
	taken := 0
	for i := range *count {
		v := harmless
		// Some are left harmless, so that not all nodes are refused.
		for _, field := range []*string{&v.Name, &v.LabelKey, &v.Label, &v.Taint, &v.Token, &v.Endpoint, &v.URL} {
			if r.IntN(8) == 0 {
				*field = random(r)
			}
		}
		made := scriptsFor(v, random(r), random(r))
		taken += len(made) - 1
		for _, script := range made {
			if got := shape(t, script); got != want {
				t.Fatalf("seed %d, number %d: %+v change the script:\n%s", *seed, i, v, got)
			}
		}
	}
	t.Logf("seed %d: %d scripts, %d of them for nodes", *seed, *count+taken, taken)
	if *count >= 50 && taken == 0 {
		t.Error("no node was made of the values")
	}
}

// FuzzWindowsScript looks for values that become more than data.
func FuzzWindowsScript(f *testing.F) {
	want := harmlessShape(f)
	for _, text := range fragments {
		f.Add(text, text, text, text, text, text, text, text)
	}
	h := harmless
	f.Add(h.Name, h.LabelKey, h.Label, h.Taint, h.Token, h.Endpoint, "C:/x", "'; exit 1; '")
	f.Add("win-1", "a", "'", "$(x)", "tests0.notarealtoken000", "api:6443", "C:/it's here/$(x)", "a\r\n'@\r\n")
	f.Fuzz(func(t *testing.T, name, labelKey, label, taint, token, endpoint, path, content string) {
		v := values{name, labelKey, label, taint, token, endpoint, harmless.URL}
		for _, script := range scriptsFor(v, path, content) {
			if got := shape(t, script); got != want {
				t.Fatalf("%+v change the script:\n%s", v, got)
			}
		}
	})
}

// The comparison finds what it is for: a payload put in without being encoded.
func TestValuesInTheCodeAreFound(t *testing.T) {
	want := harmlessShape(t)
	script := bootstrap.WindowsScript(nil)
	payload := payloadFormat.FindStringSubmatch(script)[1]
	for _, text := range []string{"a'; Remove-Item C:/x; 'b", "a' + $(exit 1) + 'b", "a'\r\nexit 1\r\n$x = 'b"} {
		if got := shape(t, strings.Replace(script, payload, text, 1)); got == want {
			t.Errorf("%q changes nothing", text)
		}
	}
	if got := shape(t, script); got != want {
		t.Error("no files at all change the script")
	}
}
