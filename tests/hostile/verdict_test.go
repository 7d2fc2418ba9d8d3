package hostile

import (
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/net/html"
)

// The bounds of a run, with a margin for this machine. The command itself needs less than half of each for the largest
// files that it accepts.
const (
	maxCPU    = 10 * time.Second
	maxMemory = 1 << 30
	// maxHelm is the memory for charts that use what helm may use.
	maxHelm = 3 << 30
)

// verdict lists what is wrong with a run.
func verdict(m machine, r run, got result) (wrong []string) {
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	limit := int64(maxMemory)
	if r.heavy {
		limit = maxHelm
	}
	switch {
	case got.ended != "":
		add("the run has not ended by itself: %s", got.ended)
	case got.code > 2:
		add("the exit code is %d", got.code)
	}
	if got.cpu > maxCPU {
		add("it took %s of processor time, want at most %s", got.cpu, maxCPU)
	}
	if got.memory > limit {
		add("it took %d MB, want at most %d MB", got.memory>>20, limit>>20)
	}
	if crash := crashed.FindString(got.stderr); crash != "" {
		add("it crashed: %s", crash)
	}
	if len(got.changed) > 0 {
		add("files have changed:\n%s", strings.Join(got.changed, "\n"))
	}
	faithful := r.args[0] == "adopt" // its output is the text of manifests, for patch and kubectl
	for name, text := range m.outputs(r, got) {
		for _, form := range forms {
			if strings.Contains(text, form) {
				add("%s shows a secret: %s", name, near(text, form))
			}
		}
		if faithful && name != "stderr" {
			continue
		}
		format := formatOf(r, name)
		// Only texts become lines of a log.
		if strings.HasPrefix(name, "std") || format == "text" {
			wrong = append(wrong, language(name, text)...)
		}
		if err := wellFormed(format, text); err != nil && got.ended == "" {
			add("%s: %v", name, err)
		}
	}
	return wrong
}

// crashed matches what Go's runtime writes. The lines of helm have the name of the chart before them.
var crashed = regexp.MustCompile(`(?m)^(panic: |fatal error: |goroutine \d).*`)

// forms are the secret and what it is in base64, at each of the three positions, without the ends that depend on other
// bytes.
var forms = func() []string {
	all := []string{secret}
	for shift := range 3 {
		encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + secret))
		all = append(all, encoded[4:len(encoded)-4])
	}
	return all
}()

// outputs returns what a run has written: to standard output, to standard error, and into the directory for outputs.
func (m machine) outputs(r run, got result) map[string]string {
	texts := map[string]string{"stdout": got.stdout, "stderr": got.stderr}
	entries, err := os.ReadDir(m.at("out"))
	if err != nil || len(r.writes) == 0 {
		return texts
	}
	for _, entry := range entries {
		if text, err := os.ReadFile(filepath.Join(m.at("out"), entry.Name())); err == nil {
			texts[entry.Name()] = string(text)
		}
	}
	return texts
}

// near returns a part of a text, and what surrounds it.
func near(text, part string) string {
	at := strings.Index(text, part)
	return fmt.Sprintf("%q", text[max(0, at-60):min(len(text), at+len(part)+60)])
}

// language lists the marks in a text that are commands to a terminal or to an agent of a CI service.
func language(name, text string) (wrong []string) {
	for _, mark := range []string{"##vso[", "##["} {
		if strings.Contains(text, mark) {
			wrong = append(wrong, fmt.Sprintf("%s has a command of an agent: %s", name, near(text, mark)))
		}
	}
	if at := lineCommand.FindString(text); at != "" {
		wrong = append(wrong, fmt.Sprintf("%s has a line that is a command: %q", name, at))
	}
	at := strings.IndexFunc(text, func(r rune) bool {
		return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
	})
	if at >= 0 {
		wrong = append(wrong, fmt.Sprintf("%s has a character for terminals: %q", name, text[at:min(len(text), at+20)]))
	}
	return wrong
}

// lineCommand matches a command of GitHub: its runner ignores spaces before it.
var lineCommand = regexp.MustCompile(`(?m)(^|\r)\s*::[a-z-]+.*`)

// formatOf returns the format of an output.
func formatOf(r run, name string) string {
	switch name {
	case "stderr":
		return "text"
	case "stdout":
		if at := slices.Index(r.args, "--format"); at >= 0 {
			return r.args[at+1]
		}
		return "text"
	default:
		return strings.TrimPrefix(filepath.Ext(name), ".")
	}
}

// wellFormed reads a text as the readers of its format do.
func wellFormed(format, text string) error {
	if text == "" {
		return nil
	}
	switch format {
	case "json", "gitlab":
		return json.Unmarshal([]byte(text), new(any))
	case "sarif":
		return sarif(text)
	case "junit", "svg":
		return elementsInXML(text)
	case "html":
		return elementsInHTML(text)
	}
	return nil
}

// linked matches a link in the texts of SARIF, https://docs.oasis-open.org/sarif/sarif/v2.1.0 section 3.11.6.
var linked = regexp.MustCompile(`(^|[^\\])\[([^\]\\]|\\.)*\]\(`)

func sarif(text string) error {
	var read any
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		return err
	}
	var texts func(v any) error
	texts = func(v any) error {
		switch v := v.(type) {
		case []any:
			for _, element := range v {
				if err := texts(element); err != nil {
					return err
				}
			}
		case map[string]any:
			for key, value := range v {
				if message, is := value.(string); is && key == "text" && linked.MatchString(message) {
					return fmt.Errorf("a text has a link: %q", linked.FindString(message))
				}
				if err := texts(value); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return texts(read)
}

// script reports whether an attribute is a program that a link starts.
func script(name, value string) bool {
	return (name == "href" || name == "src") && strings.HasPrefix(value, "javascript:")
}

// fromOthers reports whether a name of an element or an attribute is one of a hostile text.
func fromOthers(name string) bool {
	name = strings.ToLower(name)
	return name == "x-evil" || name == "img" || name == "onx" || name == "onerror"
}

func elementsInXML(text string) error {
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("is not XML: %w", err)
		}
		element, is := token.(xml.StartElement)
		if !is {
			continue
		}
		if fromOthers(element.Name.Local) {
			return fmt.Errorf("has the element %s", element.Name.Local)
		}
		for _, attribute := range element.Attr {
			if fromOthers(attribute.Name.Local) || script(attribute.Name.Local, attribute.Value) {
				return fmt.Errorf("has the attribute %s=%q", attribute.Name.Local, attribute.Value)
			}
		}
	}
}

func elementsInHTML(text string) error {
	page, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return err
	}
	scripts := 0
	for node := range page.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		if node.Data == "script" {
			scripts++
		}
		if fromOthers(node.Data) {
			return fmt.Errorf("has the element %s", node.Data)
		}
		for _, attribute := range node.Attr {
			if fromOthers(attribute.Key) || script(attribute.Key, attribute.Val) {
				return fmt.Errorf("has the attribute %s=%q", attribute.Key, attribute.Val)
			}
		}
	}
	if scripts > 1 {
		return fmt.Errorf("has %d scripts, want only its own", scripts)
	}
	return nil
}
