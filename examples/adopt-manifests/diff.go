package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/manifests"
)

// around is how many lines a difference shows around what differs.
const around = 3

// step is a line of a difference: of both texts (' '), of the first one only ('-'), or
// of the second one only ('+').
type step struct {
	kind byte
	line string
}

// unified is the difference that changes make to a text as diff -u and git show it,
// empty without changes. It is not looked for but made from the changes, so that it
// takes as long as reading the text, however many there are.
func unified(name, before string, changes []manifests.Change) string {
	if len(changes) == 0 {
		return ""
	}
	steps := compare(before, changes)
	var b strings.Builder
	name = manifests.Line(name)
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", name, name)
	was, is := 0, 0 // the lines before a step
	for at := 0; at < len(steps); {
		if steps[at].kind == ' ' {
			at, was, is = at+1, was+1, is+1
			continue
		}
		begin := max(0, at-around)
		end := hunkEnd(steps, at)
		hunk(&b, steps[begin:end], was-(at-begin), is-(at-begin))
		for ; at < end; at++ {
			if steps[at].kind != '+' {
				was++
			}
			if steps[at].kind != '-' {
				is++
			}
		}
	}
	return b.String()
}

// hunkEnd is behind the lines that are shown together with the first one that differs.
func hunkEnd(steps []step, at int) int {
	end := at
	for i := at; i < len(steps) && i <= end+2*around+1; i++ {
		if steps[i].kind != ' ' {
			end = i
		}
	}
	return min(len(steps), end+around+1)
}

func hunk(b *strings.Builder, steps []step, was, is int) {
	count := func(other byte) int {
		n := 0
		for _, s := range steps {
			if s.kind != other {
				n++
			}
		}
		return n
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", span(was, count('+')), span(is, count('-')))
	for _, s := range steps {
		b.WriteByte(s.kind)
		b.WriteString(s.line)
		if !strings.HasSuffix(s.line, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// span is where lines are, after how many others.
func span(before, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", before)
	case 1:
		return strconv.Itoa(before + 1)
	default:
		return fmt.Sprintf("%d,%d", before+1, count)
	}
}

// compare goes through a text line by line, and takes the lines that a change touches
// together with what becomes of them.
func compare(text string, changes []manifests.Change) []step {
	var steps []step
	for at := 0; at < len(text) || len(changes) > 0; {
		begin, end := at, lineEnd(text, at)
		touches := func() bool {
			if len(changes) == 0 {
				return false
			}
			// What is added behind a last line without a line end touches it too.
			next := changes[0].At
			return next == begin || next < end || end == len(text) && !strings.HasSuffix(text, "\n")
		}
		if !touches() {
			steps = append(steps, step{' ', text[begin:end]})
			at = end
			continue
		}
		var after strings.Builder
		for touches() {
			c := changes[0]
			after.WriteString(text[at:c.At] + c.Text)
			at, changes = c.At+c.Replaced, changes[1:]
			if c.Replaced > 0 && at >= end {
				end = lineEnd(text, at) // what goes may be a line's end
			}
		}
		after.WriteString(text[at:end])
		steps = exchange(steps, lines(text[begin:end]), lines(after.String()))
		at = end
	}
	return steps
}

// lineEnd is the offset behind the line in which an offset lies.
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// exchange adds the steps that put lines into the place of others: those that both begin
// or end with stay.
func exchange(steps []step, before, after []string) []step {
	add := func(kind byte, lines []string) {
		for _, line := range lines {
			steps = append(steps, step{kind, line})
		}
	}
	begin := 0
	for begin < min(len(before), len(after)) && before[begin] == after[begin] {
		begin++
	}
	add(' ', before[:begin])
	before, after = before[begin:], after[begin:]
	end := 0
	for end < min(len(before), len(after)) && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	add('-', before[:len(before)-end])
	add('+', after[:len(after)-end])
	add(' ', before[len(before)-end:])
	return steps
}

func lines(text string) []string { return slices.Collect(strings.Lines(text)) }
