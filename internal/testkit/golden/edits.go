package golden

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// edits returns the lines that turn a text into another one. Package udiff searches for at most 100 differences and
// replaces the rest of the text, so it gets only the parts between lines that are in both texts, and once in each
// (the patience algorithm).
func edits(from, to string) []udiff.Edit {
	return between(0, slices.Collect(strings.Lines(from)), slices.Collect(strings.Lines(to)))
}

// between is edits for lines that begin at an offset of the text.
func between(at int, from, to []string) []udiff.Edit {
	for len(from) > 0 && len(to) > 0 && from[0] == to[0] {
		at += len(from[0])
		from, to = from[1:], to[1:]
	}
	for len(from) > 0 && len(to) > 0 && from[len(from)-1] == to[len(to)-1] {
		from, to = from[:len(from)-1], to[:len(to)-1]
	}
	anchors := anchors(from, to)
	if len(anchors) == 0 {
		all := udiff.Lines(strings.Join(from, ""), strings.Join(to, ""))
		for i := range all {
			all[i].Start += at
			all[i].End += at
		}
		return all
	}
	var all []udiff.Edit
	last := [2]int{}
	for _, next := range append(anchors, [2]int{len(from), len(to)}) {
		all = append(all, between(at, from[last[0]:next[0]], to[last[1]:next[1]])...)
		at += length(from[last[0]:next[0]])
		last = next
	}
	return all
}

func length(lines []string) int {
	n := 0
	for _, line := range lines {
		n += len(line)
	}
	return n
}

// anchors returns the indices of lines that each list has once: the most that are in the same order in both.
func anchors(from, to []string) [][2]int {
	inFrom, inTo := once(from), once(to)
	var tails [][2]int // the last pairs of the best chains of each length
	before := map[[2]int][2]int{}
	for i, line := range from {
		j, ok := inTo[line]
		if _, alone := inFrom[line]; !alone || !ok {
			continue
		}
		pair := [2]int{i, j}
		n, _ := slices.BinarySearchFunc(tails, j, func(tail [2]int, j int) int { return tail[1] - j })
		if n > 0 {
			before[pair] = tails[n-1]
		}
		tails = append(tails[:n], append([][2]int{pair}, tails[min(n+1, len(tails)):]...)...)
	}
	if len(tails) == 0 {
		return nil
	}
	chain := [][2]int{tails[len(tails)-1]}
	for len(chain) < len(tails) {
		chain = append(chain, before[chain[len(chain)-1]])
	}
	slices.Reverse(chain)
	return chain
}

// once returns the lines that are in a list exactly once, with their indices.
func once(lines []string) map[string]int {
	at, count := map[string]int{}, map[string]int{}
	for i, line := range lines {
		at[line] = i
		count[line]++
	}
	for line, n := range count {
		if n > 1 {
			delete(at, line)
		}
	}
	return at
}
