package manifests

import (
	"fmt"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// Each place of a long line is found from the mark before it, and is the same as from the beginning of the line.
func TestPlacesInALongLine(t *testing.T) {
	t.Parallel()
	var items []string
	for i := range 300 {
		items = append(items, fmt.Sprintf("{ä: ü%d, 世: [a, 界]}", i))
	}
	text := "a: b\nitems: [" + strings.Join(items, ", ") + "]\nc: [d]\n"
	docs, err := NewText([]byte(text), "a.yaml")
	if err != nil {
		t.Fatal(err)
	}
	document := docs.Documents[0]
	s, lines, nodes := document.source, strings.SplitAfter(text, "\n"), 0
	var check func(n *yaml.Node)
	check = func(n *yaml.Node) {
		nodes++
		want := len(strings.Join(lines[:n.Line-1], "")) + len(string([]rune(lines[n.Line-1])[:n.Column-1]))
		if at, ok := s.at(n); !ok || at != want {
			t.Errorf("line %d, column %d: got %d, %t, want %d", n.Line, n.Column, at, ok, want)
		}
		for _, child := range n.Content {
			check(child)
		}
	}
	check(document.node)
	letters := len([]rune(lines[1]))
	if got, want := len(s.marks[2]), (letters+markEvery-1)/markEvery; got != want || len(s.marks) != 1 || nodes < 2000 {
		t.Errorf("%d marks in a line of %d letters, want %d; lines with marks: %d; %d nodes", got, letters, want,
			len(s.marks), nodes)
	}
}
