package escape_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

func TestALineDoesNothingToItsReaders(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		// Texts that pass.
		`C:\a "b" 'c' ä 東…`:         `C:\a "b" 'c' ä 東…`,
		"## Heading, # and a::b::c": "## Heading, # and a::b::c",
		"#[a] ##very [b](c) : ::":   "#[a] ##very [b](c) : ::",
		": a":                       ": a",
		// Terminals.
		"a\nb\r\tc":               `a\nb\r\tc`,
		"\x1b[2J\x1b]0;title\x07": `\x1b[2J\x1b]0;title\a`,
		"\u009b31m\x7f\x00":       `\u009b31m\x7f\x00`,
		"a\u202eb\u2028\u200b":    `a\u202eb\u2028\u200b`,
		"a\xffb":                  "a\uFFFDb",
		// Azure Pipelines.
		"Pod/##vso[task.setvariable variable=PATH]/tmp": `Pod/#\x23vso[task.setvariable variable=PATH]/tmp`,
		"##VSO and ##vso[a.b]##vso[a.b]":                `#\x23VSO and #\x23vso[a.b]#\x23vso[a.b]`,
		"####vso[a.b]":                                  `###\x23vso[a.b]`,
		"#\u034f#vs\ufe0fo[a.b]":                        "#\u034f\\x23vs\ufe0fo[a.b]",
		"#\u200b#vso[a.b]":                              `#\u200b#vso[a.b]`,
		// GitHub.
		"a ##[group]b":             `a #\x23[group]b`,
		"::error::a":               `\x3a:error::a`,
		"  ::stop-commands::a":     `  \x3a:stop-commands::a`,
		"\ufe0f:\u034f:error::a":   "\ufe0f\\x3a\u034f:error::a",
		":::a":                     `\x3a::a`,
		"\u00a0::error::a":         `\u00a0::error::a`,
		"a\r::error::a":            `a\r::error::a`,
		"section_end:1:a\r\x1b[0K": `section_end:1:a\r\x1b[0K`, // GitLab
	} {
		if got := escape.Line(text); got != want {
			t.Errorf("Line(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestLinesKeepTheirTabs(t *testing.T) {
	t.Parallel()
	if got, want := escape.Commands("a\r::error::b"), "a\r\\x3a:error::b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	const text = "a:\tb\r\n\t::error::c\n\x1b[2K ##[d]\n"
	if got, want := escape.Lines(text), "a:\tb\n\t\\x3a:error::c\n\\x1b[2K #\\x23[d]\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := escape.Commands(text), "a:\tb\r\n\t\\x3a:error::c\n\x1b[2K #\\x23[d]\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReportsHaveNoLinksOfStrangers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"spec.containers[0].image: {a: b}": {"spec.containers[0].image: {a: b}", "spec.containers[0].image: {a: b}"},
		"[a](https://b)":                   {`[a]\(https://b)`, `[a]\(https://b)`},
		`[a\](https://b)`:                  {`[a\]\(https://b)`, `[a\]\(https://b)`},
		"{0} of {a}, {{1}}":                {"{{0}} of {{a}}, {{{{1}}}}", "{0} of {a}, {{1}}"},
		`<a href="https://b">c</a> 1 < 2`: {
			`<a href="https://b">c</a> 1 < 2`, `\x3ca href="https://b">c\x3c/a> 1 < 2`,
		},
		"%{strong_start}a%{strong_end}": {"%{strong_start}a%{strong_end}", `%\{strong_start}a%\{strong_end}`},
	} {
		if got := [2]string{escape.SARIF(text), escape.CodeQuality(text)}; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestDataHasTheSameValues(t *testing.T) {
	t.Parallel()
	values := map[string]any{"a": "x##vso[a.b]c", "::error::": "::a::\n::b::\u202e", "n": 1}
	text, err := escape.YAML(values)
	want := `"\x3a\x3aerror\x3a\x3a": "\x3a\x3aa\x3a\x3a\n\x3a\x3ab\x3a\x3a\U0000202e"` + "\n" +
		`a: "x\x23\x23vso[a.b]c"` + "\n" + `"n": 1` + "\n"
	if err != nil || text != want {
		t.Errorf("got %s, %v, want %s", text, err, want)
	}
	plain := map[string]any{"a": "x # y", "b": "C:/::x"}
	text, err = escape.YAML(plain)
	if want := "a: 'x # y'\nb: C:/::x\n"; err != nil || text != want {
		t.Errorf("got %s, %v, want %s", text, err, want)
	}
	if got, want := escape.JSON("[\"##[a]\u202e\U000e0001\"]\n"), `["#\u0023[a]\u202e\udb40\udc01"]`+"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := escape.XML("<a b=\"##[c]\">\n::d::</a>"), "<a b=\"#&#35;[c]\">\n&#58;:d::</a>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func add(f *testing.F) {
	f.Helper()
	for _, text := range []string{
		"", "Pod/web: spec.containers[0].image", "##vso[task.complete result=Failed]", "###[a]b",
		"#\u034f#\ufe0fvso[a.b]",
		" \u3000::error file=a::b", ":\u200b:add-mask::a", "a\r\n\t::debug::b",
		"section_start:1:a[collapsed=true]\r\x1b[0K",
		"\x1b]8;;https://a\x07b\x1b]8;;\x07", "\u009b2J\u202e", "a\xff\xfe#\xff#[b]",
		"[a](b) [c\\](d) [e][f]", "{0}{{1}}{",
		"}}",
		"<img src=x onerror=a> <!-- ]]> &#35;", "a<{%fg 1%}>b", "<<{%x%}>", "<{%", "%{strong_start}", "- a: #b\n--- " +
			"|\n ::c::", "\ue000##[\ue001", "'\"\\",
	} {
		f.Add(text)
	}
}

func FuzzLine(f *testing.F) {
	add(f)
	f.Fuzz(func(t *testing.T, text string) {
		line := escape.Line(text)
		if agentTakes(line) || terminalTakes(line) || pulumiTakes(line) || strings.ContainsAny(line, "\n\t") {
			t.Errorf("%q becomes %q, which a reader interprets", text, line)
		}
		if again := escape.Line(line); again != line {
			t.Errorf("%q becomes %q, and that %q", text, line, again)
		}
		lines := escape.Lines(text)
		if agentTakes(lines) || terminalTakes(lines) || pulumiTakes(lines) {
			t.Errorf("the lines of %q become %q, which a reader interprets", text, lines)
		}
		for in, out := range map[string]string{text: line, strings.ReplaceAll(text, "\r\n", "\n"): lines} {
			taken := agentTakes(in) || terminalTakes(in) || pulumiTakes(in) || escape.HasCommands(in)
			if utf8.ValidString(in) && !taken && printableASCII(in) && out != in {
				t.Errorf("%q is harmless, and becomes %q", in, out)
			}
		}
	})
}

// printableASCII reports whether a text has only characters that every terminal shows.
func printableASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// A text of ASCII is escaped if and only if a reader interprets it, or a beginning of a command could be continued.
func FuzzCommandsAreFound(f *testing.F) {
	add(f)
	f.Fuzz(func(t *testing.T, text string) {
		commands := escape.Commands(text)
		for _, line := range readLines(commands) {
			if azureTakes(line) || gitHubTakes(line) {
				t.Errorf("%q becomes %q, which an agent interprets", text, commands)
			}
		}
		if printableASCII(text) && !azureTakes(strings.ToLower(text)) && !gitHubTakes(text) &&
			!strings.HasPrefix(strings.TrimSpace(text), "::") && commands != text {
			t.Errorf("%q is harmless, and becomes %q", text, commands)
		}
	})
}

func FuzzReportTexts(f *testing.F) {
	add(f)
	f.Fuzz(func(t *testing.T, text string) {
		message := escape.SARIF(text)
		if found := sarifLinks(message); len(found) > 0 {
			t.Errorf("%q becomes %q with the links %q", text, message, found)
		}
		shown, found := sarifPlaceholders(message)
		if len(found) > 0 {
			t.Errorf("%q becomes %q with the placeholders %q", text, message, found)
		}
		if want := strings.ReplaceAll(text, "](", `]\(`); message != want && shown != want {
			t.Errorf("%q is shown as %q, want %q", text, shown, want)
		}
		description := escape.CodeQuality(text)
		if markdownTakes(description) {
			t.Errorf("%q becomes %q, which a viewer interprets", text, description)
		}
		if again := escape.CodeQuality(description); again != description {
			t.Errorf("%q becomes %q, and that %q", text, description, again)
		}
	})
}

func FuzzData(f *testing.F) {
	add(f)
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		for name, write := range map[string]func(any) (string, string, error){
			"JSON": asJSON, "XML": asXML, "YAML": asYAML,
		} {
			document, read, err := write(text)
			if errors.Is(err, errNoSuchText) {
				continue
			}
			if err != nil || read != text {
				t.Errorf("%s: %q is read as %q, %v from %s", name, text, read, err, document)
			}
			if agentTakes(document) || name != "XML" && terminalTakes(document) {
				t.Errorf("%s: a reader interprets %q", name, document)
			}
		}
	})
}

// errNoSuchText is for texts that a format does not have at all.
var errNoSuchText = errors.New("the format does not have it")

func asJSON(value any) (document, read string, err error) {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	var values [2]string
	err = encoder.Encode([]any{value, value})
	document = escape.JSON(out.String())
	err = errors.Join(err, json.Unmarshal([]byte(document), &values))
	return document, values[0], err
}

func asXML(value any) (document, read string, err error) {
	type element struct {
		Attribute string `xml:"b,attr"`
		Text      string `xml:",chardata"`
	}
	encoded, err := xml.Marshal(element{fmt.Sprint(value), fmt.Sprint(value)})
	if strings.ContainsRune(string(encoded), '\ufffd') {
		return "", "", errNoSuchText
	}
	document = escape.XML(string(encoded))
	var back element
	err = errors.Join(err, xml.Unmarshal([]byte(document), &back))
	if back.Attribute != back.Text {
		err = errors.Join(err, fmt.Errorf("%q is not %q", back.Attribute, back.Text))
	}
	// The document has one element, whatever the text.
	elements := 0
	decoder := xml.NewDecoder(strings.NewReader(document))
	for {
		token, wrong := decoder.Token()
		if errors.Is(wrong, io.EOF) {
			break
		}
		if wrong != nil {
			return document, back.Text, errors.Join(err, wrong)
		}
		if _, is := token.(xml.StartElement); is {
			elements++
		}
	}
	if elements != 1 {
		err = errors.Join(err, fmt.Errorf("%d elements", elements))
	}
	return document, back.Text, err
}

func asYAML(value any) (document, read string, err error) {
	// yaml.v3 does not read everything that it writes.
	var same []map[any]string
	written, err := yaml.Marshal([]map[any]any{{"key": value}})
	if err != nil || yaml.Unmarshal(written, &same) != nil || same[0]["key"] != value {
		return "", "", errNoSuchText
	}
	document, err = escape.YAML([]map[any]any{{"key": value}})
	err = errors.Join(err, yaml.Unmarshal([]byte(document), &same))
	return document, same[0]["key"], err
}
