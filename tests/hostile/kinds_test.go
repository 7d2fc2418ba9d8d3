package hostile

import (
	"archive/tar"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// content is what a stranger writes. One field is set; each place knows which fields it can hold.
type content struct {
	// text is a part of documents and names.
	text string
	// document makes a whole file.
	document func() string
	// patterns is a line of a .gitignore.
	patterns string
	// topology is the path of a topology in a configuration.
	topology string
	// template is a file of templates/ in a chart.
	template string
	// special makes something that is not a regular file at a path.
	special func(t *testing.T, m machine, path string)
	// entries are further entries of an archive. BASE is the directory of the machine.
	entries []tar.Header
	// answers come from a registry.
	answers *answers

	// refused is true if a place that has it cannot be read: the exit code is 2.
	refused bool
	// heavy is true if helm may need what its own limit allows.
	heavy bool
}

// kind makes a content at random.
type kind struct {
	name string
	make func(r *rand.Rand) content
}

// one returns a kind with a single content.
func one(c content) func(*rand.Rand) content { return func(*rand.Rand) content { return c } }

func kinds() []kind {
	all := []kind{{"a text for a reader", func(r *rand.Rand) content { return content{text: mixed(r)} }}}
	for _, text := range texts {
		all = append(all, kind{"the text " + text.name, one(content{text: text.text})})
	}
	for _, d := range documents {
		all = append(all, kind{d.name, func(r *rand.Rand) content {
			return content{document: func() string { return d.text(r) }}
		}})
	}
	for _, p := range patterns {
		all = append(all, kind{p.name, one(content{patterns: p.pattern})})
	}
	for _, s := range specials {
		all = append(all, kind{s.name, one(content{special: s.make, refused: s.refused})})
	}
	for _, path := range []string{"../outside/secret.yaml", "/proc/self/environ", "/dev/zero"} {
		all = append(all, kind{"the topology " + path, one(content{topology: path, refused: true})})
	}
	all = append(all, templates...)
	return append(all, registries...)
}

// texts are texts that a reader of the output takes for its own language.
var texts = []struct{ name, text string }{
	{"of Azure Pipelines", "##vso[task.setvariable variable=KUBECONFIG]/agent/evil"},
	{"of Azure Pipelines, later in a line", "web ##vso[task.prependpath]/agent/evil"},
	{"of both agents", "##[error]evil"},
	{"of GitHub", "::stop-commands::evil"},
	{"of GitHub in a second line", "web\n::add-mask::evil\r::error::evil"},
	{"of a terminal", "\x1b]0;evil\x07\x1b[31mevil\x1b[2J"},
	{"of a terminal in C1", "\u009b31mevil\u009d0;evil\u009c"},
	{"from right to left", "web\u202elive\u2066evil\u200b\ufeff"},
	{"of Markdown", "[click](https://evil.example/?a=b) ![i](https://evil.example/i.png) `code`"},
	{"of HTML", `"><x-evil onx="evil"><img src=x onerror="evil"></x-evil><script>evil()</script>`},
	{"of an end of a script", "</script></style></desc></title><x-evil>"},
	{"of XML", "]]></failure><x-evil/><!--<![CDATA[\u0000\ufffe"},
	{"of an address", "javascript:evil()//"},
	{"of a shell", "$(touch evil) `touch evil`; touch evil #"},
	{"of a flag", "--report=text=evil.txt"},
	{"of a path", "../outside/targets/file"},
}

// mixed joins texts, with parts of them in between.
func mixed(r *rand.Rand) string {
	var b strings.Builder
	for range 2 + r.IntN(3) {
		text := texts[r.IntN(len(texts))].text
		b.WriteString([]string{"", " ", "\n", "#", ":", "\t", "\r\n", "%0A", "\u2028"}[r.IntN(9)])
		b.WriteString(text[:len(text)-r.IntN(3)*len(text)/8])
	}
	return strings.ToValidUTF8(b.String(), "\ufffd")
}

// patterns cost a lot in the deep directory that the places make.
var patterns = []struct{ name, pattern string }{
	{"many stars between slashes", strings.Repeat("**/", 14) + "zz"},
	{"many stars", strings.Repeat("*a", 20_000) + "zz"},
	{"stars after a name", "d/" + strings.Repeat("**/d/", 12) + "zz"},
	{"classes", strings.Repeat("[a-z]", 500) + "*"},
	{"a pattern of a terminal", "[\x1b]0;evil\x07"},
}

// deep is a path of directories that many patterns match in many ways.
var deep = strings.Repeat("d/", 28)

// specials are not regular files, or not in the checkout.
var specials = []struct {
	name    string
	refused bool
	make    func(t *testing.T, m machine, path string)
}{
	{"a link to a file of the user", true, func(t *testing.T, m machine, path string) {
		t.Helper()
		link(t, filepath.Join(m.base, "outside/secret.yaml"), path)
	}},
	{"a relative link to a file of the user", true, func(t *testing.T, m machine, path string) {
		t.Helper()
		target, err := filepath.Rel(filepath.Dir(path), filepath.Join(m.base, "outside/secret.txt"))
		must(t, err)
		link(t, target, path)
	}},
	{"a link to a link to a file of the user", true, func(t *testing.T, m machine, path string) {
		t.Helper()
		link(t, filepath.Join(m.base, "outside/secret.yaml"), m.at("inner/link"))
		link(t, m.at("inner/link"), path)
	}},
	{"a link through a directory of the user", true, func(t *testing.T, m machine, path string) {
		t.Helper()
		link(t, filepath.Join(m.base, "outside"), m.at("inner"))
		link(t, m.at("inner/secret.yaml"), path)
	}},
	{"a link to the environment", true, func(t *testing.T, _ machine, path string) {
		t.Helper()
		link(t, "/proc/self/environ", path)
	}},
	{"a link to an endless device", true, func(t *testing.T, _ machine, path string) {
		t.Helper()
		link(t, "/dev/zero", path)
	}},
	{"a link to itself", true, func(t *testing.T, _ machine, path string) {
		t.Helper()
		link(t, filepath.Base(path), path)
	}},
	{"a pipe without a writer", true, func(t *testing.T, _ machine, path string) {
		t.Helper()
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, pipe(path))
	}},
	{"a socket", true, func(t *testing.T, m machine, path string) {
		t.Helper()
		// The name of a socket has at most 107 bytes.
		name := filepath.Join(m.base, "s")
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: name})
		must(t, err)
		listener.SetUnlinkOnClose(false)
		must(t, listener.Close())
		must(t, os.Rename(name, path))
	}},
	{"a file of 8 GB", true, func(t *testing.T, _ machine, path string) {
		t.Helper()
		write(t, path, "")
		must(t, os.Truncate(path, 8<<30))
	}},
}

// templates are for charts alone.
var templates = []kind{
	{"a template that repeats a text", one(content{
		template: "a: {{ repeat 2000000000 \"x\" | quote }}\n", refused: true, heavy: true,
	})},
	{"a template that counts", one(content{
		template: "a: {{ range until 2000000000 }}x{{ end }}\n", refused: true, heavy: true,
	})},
	{"a template that doubles", one(content{template: "{{ $a := \"xxxxxxxx\" }}{{ range until 40 }}" +
		"{{ $a = printf \"%s%s\" $a $a }}{{ end }}a: {{ $a }}\n", refused: true, heavy: true})},
	{"a template that includes itself", one(content{
		template: "{{ define \"a\" }}{{ include \"a\" . }}{{ end }}{{ include \"a\" . }}\n", refused: true, heavy: true,
	})},
	{"a template that fails with commands", func(r *rand.Rand) content {
		return content{template: "{{ fail " + quoted(texts[r.IntN(len(texts))].text) + " }}\n", refused: true}
	}},
	{"a template that looks around", one(content{
		template: "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {nodeSelector: {a: {{ list (env \"HOME\") " +
			"(expandenv \"$AZURE_CLIENT_SECRET\") | join \"-\" | b64enc }}}}\n",
		refused: true, // helm has no such functions
	})},
	{"a template without a name", one(content{template: "---\n# Source: ../../../evil\na: b\n---\n# Source: x\n"})},
	{"an archive with a path outside", one(content{entries: []tar.Header{
		{Name: "../outside/targets/evil", Typeflag: tar.TypeReg},
		{Name: "shop/../../outside/targets/evil", Typeflag: tar.TypeReg},
	}, refused: true})},
	{"an archive with an absolute path", one(content{entries: []tar.Header{
		{Name: "BASE/outside/targets/evil", Typeflag: tar.TypeReg},
	}})},
	{"an archive with a link", one(content{entries: []tar.Header{
		{Name: "shop/templates/evil.yaml", Typeflag: tar.TypeSymlink, Linkname: "../../outside/secret.yaml"},
		{Name: "shop/evil", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"},
	}})},
}
