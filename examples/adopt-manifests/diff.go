package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// around is how many lines a difference shows around what differs.
const around = 3

// step is a line of a comparison: of both texts (' '), of the first one only ('-'), or
// of the second one only ('+').
type step struct {
	kind byte
	line string
}

// unified is the difference of two texts as diff -u and git show it, empty where there
// is none.
func unified(name, before, after string) string {
	if before == after {
		return ""
	}
	steps := compare(lines(before), lines(after))
	var b strings.Builder
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

func lines(text string) []string { return slices.Collect(strings.Lines(text)) }

// compare finds the smallest number of lines that differ: E. Myers, "An O(ND)
// Difference Algorithm and Its Variations", 1986.
func compare(a, b []string) []step {
	most := len(a) + len(b)
	// furthest is how far in a each diagonal gets, trace what it was before each round.
	furthest := make([]int, 2*most+2)
	var trace [][]int
	at := func(round []int, diagonal int) int { return round[diagonal+most] }
	for d := 0; d <= most; d++ {
		trace = append(trace, slices.Clone(furthest[most-d:most+d+2]))
		for k := -d; k <= d; k += 2 {
			var x int
			if k == -d || k != d && at(furthest, k-1) < at(furthest, k+1) {
				x = at(furthest, k+1)
			} else {
				x = at(furthest, k-1) + 1
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			furthest[k+most] = x
			if x >= len(a) && x-k >= len(b) {
				return back(a, b, trace)
			}
		}
	}
	return nil // the rounds above get to the end
}

// back goes the way that compare has found from its end.
func back(a, b []string, trace [][]int) []step {
	var steps []step
	x, y := len(a), len(b)
	for d := len(trace) - 1; d > 0; d-- {
		// A round has the diagonals from -d on.
		round := func(diagonal int) int { return trace[d][diagonal+d] }
		k := x - y
		previous := k - 1
		if k == -d || k != d && round(k-1) < round(k+1) {
			previous = k + 1
		}
		toX := round(previous)
		toY := toX - previous
		for x > toX && y > toY {
			x, y = x-1, y-1
			steps = append(steps, step{' ', a[x]})
		}
		if x > toX {
			x--
			steps = append(steps, step{'-', a[x]})
		} else {
			y--
			steps = append(steps, step{'+', b[y]})
		}
	}
	for x > 0 {
		x--
		steps = append(steps, step{' ', a[x]})
	}
	slices.Reverse(steps)
	return steps
}
