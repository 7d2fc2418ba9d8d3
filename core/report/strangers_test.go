package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// ofStrangers returns a report in which strangers have chosen the texts.
func ofStrangers(text string) report.Report {
	object := report.Object{Kind: "Pod", Namespace: text, Name: text}
	return report.Report{
		Findings: []report.Finding{{
			Finding: rule.Finding{
				Rule: "MK118", Severity: rule.Error, Path: text, Value: text, Detail: text, Fix: text,
			},
			Object: object, File: text, Line: 3,
		}, {
			Finding: rule.Finding{Severity: rule.Info, Path: text, Value: text, Detail: text},
			Object:  object, File: text, Reason: text,
		}},
		Checked:  []report.Checked{{Object: object, File: text}},
		Problems: []error{&manifests.Error{File: text, Line: 2, Detail: text}, errors.New(text)},
	}
}

// A report that a pipeline prints commands neither its agent nor a terminal, and viewers find no link that is not the
// report's own. Parsers read the texts themselves.
func FuzzReportsOfStrangers(f *testing.F) {
	for _, text := range []string{
		"web", "##vso[task.setvariable variable=PATH]/tmp", "##[group]a", "\n::error::a", "[click](https://example.com)",
		"<a href=\"https://example.com\">click</a>", "\x1b[2J\u009b\u202e", "]]>\"'&", "{0}", "#\u034f#vso[a.b]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text[:min(len(text), 400)], "?")
		r := ofStrangers(text)
		var asJSON, sarif, quality, junit bytes.Buffer
		if err := errors.Join(r.WriteJSON(&asJSON), r.WriteSARIF(&sarif, nil, "/src"),
			r.WriteCodeQuality(&quality, "/src"), r.WriteJUnit(&junit)); err != nil {
			t.Fatal(err)
		}
		for name, written := range map[string]string{
			"json": asJSON.String(), "sarif": sarif.String(), "gitlab": quality.String(), "junit": junit.String(),
		} {
			hidden := strings.ContainsFunc(written, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) })
			if escape.HasCommands(written) || hidden {
				t.Errorf("%s: an agent or a terminal interprets %q", name, written)
			}
		}
		var findings []map[string]any
		if err := json.Unmarshal(asJSON.Bytes(), &findings); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"file", "namespace", "name", "path", "value"} {
			if findings[0][key] != text {
				t.Errorf("%s is %q, want %q", key, findings[0][key], text)
			}
		}
		for name, written := range map[string]bytes.Buffer{"sarif": sarif, "gitlab": quality} {
			var value any
			if err := json.Unmarshal(written.Bytes(), &value); err != nil {
				t.Fatal(err)
			}
			for _, shown := range messages(value) {
				if strings.Contains(shown, "](") || name == "gitlab" && strings.Contains(shown, "<a") {
					t.Errorf("%s: %q has a link", name, shown)
				}
			}
		}
		decoder := xml.NewDecoder(&junit)
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			elements := []string{"testsuites", "testsuite", "testcase", "error", "failure", "system-out"}
			if element, is := token.(xml.StartElement); is && !slices.Contains(elements, element.Name.Local) {
				t.Errorf("JUnit has an element %s", element.Name.Local)
			}
		}
	})
}

// messages returns the texts that viewers of a report show as messages.
func messages(value any) (all []string) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			all = append(all, messages(v)...)
		}
	case map[string]any:
		for k, v := range value {
			if text, is := v.(string); is && (k == "text" || k == "description") {
				all = append(all, text)
			}
			all = append(all, messages(v)...)
		}
	}
	return all
}
