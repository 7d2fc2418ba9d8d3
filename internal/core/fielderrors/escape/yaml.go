package escape

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// YAML returns a value as a YAML document, with two spaces of indentation. If a terminal or an agent would interpret a
// part of it, texts are quoted, with escapes. A parser reads the same values.
func YAML(value any) (string, error) {
	document, err := yamlOf(value)
	if err != nil || !HasCommands(document) && Lines(document) == document {
		return document, err
	}
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(document), &root); err != nil {
		return "", err
	}
	s := standIns{document: document, next: '\ue000', of: map[rune]rune{}}
	s.quote(&root)
	document, err = yamlOf(&root)
	for r, standIn := range s.of {
		format := `\x%02x`
		if r > 0xff {
			format = `\U%08x`
		}
		document = strings.ReplaceAll(document, string(standIn), fmt.Sprintf(format, r))
	}
	return document, err
}

func yamlOf(value any) (string, error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	err := encoder.Close()
	return out.String(), err
}

// standIns are characters for private use that stand for the ones to escape while yaml.v3 writes a document: it has no
// style that escapes them.
type standIns struct {
	document string
	next     rune
	of       map[rune]rune
}

// quote quotes the texts with a character to escape.
func (s *standIns) quote(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
		if text := strings.Map(s.standIn, n.Value); text != n.Value {
			n.Style, n.Value = yaml.DoubleQuotedStyle, text
		}
	}
	for _, below := range n.Content {
		s.quote(below)
	}
}

// standIn returns the character that stands for another one, or that one itself if it is not escaped.
func (s *standIns) standIn(r rune) rune {
	if r == '\n' || unicode.IsPrint(r) && r != '#' && r != ':' {
		return r // a quoted text has a line break as \n
	}
	if s.of[r] == 0 {
		for strings.ContainsRune(s.document, s.next) {
			s.next++
		}
		s.of[r] = s.next
		s.next++
	}
	return s.of[r]
}
