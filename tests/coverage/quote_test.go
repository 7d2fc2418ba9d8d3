package coverage

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/tests/internal/markdown"
)

// The words of a quote: fewer are on each page, and more are a copy of it.
const (
	fewestWords = 3
	mostWords   = 12
)

// quoteProblem returns why a quote is not one of the page, or an empty string. The function file returns the text of a
// file, or an empty string.
func quoteProblem(page, quote string, file func(string) string) string {
	if page == "" || quote == "" {
		if page != quote {
			return "and page need each other"
		}
		return ""
	}
	name, anchor, _ := strings.Cut(page, "#")
	text := ""
	if strings.HasPrefix(name, "docs/") && strings.HasSuffix(name, ".md") {
		text = file(name)
	}
	if text == "" {
		return "is about " + name + ", which is not a page of docs"
	}
	if anchor != "" {
		if text = section(text, anchor); text == "" {
			return "is about the section " + anchor + ", which does not exist"
		}
	}
	words := strings.Fields(quote)
	if len(words) < fewestWords || len(words) > mostWords {
		return "has fewer than 3 or more than 12 words"
	}
	if !strings.Contains(oneLine(text), strings.Join(words, " ")) {
		return "is not on the page"
	}
	return ""
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// section returns the lines below a heading, up to the next heading of its level, without blocks of code.
func section(page, anchor string) string {
	var found []string
	level := 0
	for line := range strings.SplitSeq(markdown.Text(page), "\n") {
		if depth := len(line) - len(strings.TrimLeft(line, "#")); depth > 0 {
			for _, h := range markdown.Headings(line) {
				switch {
				case level == 0 && h.Anchor == anchor:
					level = depth
				case level > 0 && depth <= level:
					return strings.Join(found, "\n")
				}
			}
		}
		if level > 0 {
			found = append(found, line)
		}
	}
	return strings.Join(found, "\n")
}

func TestQuotes(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"docs/troubleshooting.md": `# Page

Pods wait
for ten minutes.

## Running, and not reachable

- Nodes **wait** for ` + "`five`" + ` minutes.

### kube-proxy on Windows nodes

No pod waits for an answer.

## The node is NotReady

` + "```yaml\n# Running, and not reachable\n```" + `

One, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen.
`}
	for _, c := range []struct{ page, quote, want string }{
		{"", "", ""},
		{"docs/troubleshooting.md", "Pods wait for ten minutes", ""},
		{"docs/troubleshooting.md", "Pods  wait for", ""},
		{"docs/troubleshooting.md#running-and-not-reachable", "Nodes **wait** for `five` minutes.", ""},
		{"docs/troubleshooting.md#running-and-not-reachable", "waits for an answer", ""},
		{"docs/troubleshooting.md#kube-proxy-on-windows-nodes", "waits for an answer", ""},
		{"docs/troubleshooting.md", "", "and page need each other"},
		{"", "Pods wait for", "and page need each other"},
		{"docs/troubleshooting.md", "Pods wait for five minutes", "is not on the page"},
		{"docs/troubleshooting.md", "Nodes wait for five minutes", "is not on the page"},
		{"docs/troubleshooting.md#running-and-not-reachable", "Pods wait for", "is not on the page"},
		{"docs/troubleshooting.md#the-node-is-notready", "waits for an answer", "is not on the page"},
		{"docs/troubleshooting.md#kube-proxy-on-windows-nodes", "**wait** for `five`", "is not on the page"},
		{"docs/troubleshooting.md#what-to-report", "Pods wait for", "is about the section what-to-report, which does " +
			"not exist"},
		{"docs/lab.md", "Pods wait for", "is about docs/lab.md, which is not a page of docs"},
		{"a.go", "Pods wait for", "is about a.go, which is not a page of docs"},
		{"docs/troubleshooting.md docs/lab.md", "Pods wait for", "is about docs/troubleshooting.md docs/lab.md, " +
			"which is not a page of docs"},
		{"docs/troubleshooting.md", "Pods wait", "has fewer than 3 or more than 12 words"},
		{"docs/troubleshooting.md", "One, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve,", ""},
		{
			"docs/troubleshooting.md", "One, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, " +
				"thirteen.",
			"has fewer than 3 or more than 12 words",
		},
	} {
		if got := quoteProblem(c.page, c.quote, func(name string) string { return pages[name] }); got != c.want {
			t.Errorf("%s: %q: %q, want %q", c.page, c.quote, got, c.want)
		}
	}
}
