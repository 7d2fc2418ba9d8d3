package fielderrors

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Nearest returns the candidate with the smallest edit distance to value, as it is
// spelled in candidates. Upper and lower case are equal; inserting, deleting or
// replacing a character counts one, and so does swapping two neighbors. If several
// candidates have the same distance, the first one wins.
//
// It returns false if nothing is reasonably near. A candidate is near if the distance
// is at most a third, rounded, of the length of the shorter word (but one is always
// allowed), and less than the length of the longer one, so that the two words share
// something.
func Nearest(value string, candidates []string) (string, bool) {
	folded := fold(value)
	var best string
	bestDistance := -1
	for _, candidate := range candidates {
		word := fold(candidate)
		shorter, longer := min(len(folded), len(word)), max(len(folded), len(word))
		limit := min(max(1, (shorter+1)/3), longer-1)
		// The distance is never less than the difference in length; this also
		// keeps a huge value from costing anything.
		if longer-shorter > limit {
			continue
		}
		d := distance(folded, word)
		if d <= limit && (bestDistance < 0 || d < bestDistance) {
			best, bestDistance = candidate, d
		}
	}
	return best, bestDistance >= 0
}

// Typo reports whether two words differ by one slip, ignoring case: two swapped
// neighbors, or an extra letter inside one of them. A replaced letter is not a slip, as
// in tenant-a and tenant-b; nor is an extra letter at the end, as in class and classb; nor
// a different digit, because digits count things. Words with less than five characters are
// too similar to tell.
func Typo(a, b string) bool {
	short, long := fold(a), fold(b)
	if len(short) > len(long) {
		short, long = long, short
	}
	at := 0
	for at < len(short) && short[at] == long[at] {
		at++
	}
	// The rest of both words begins with the slip.
	short, long = short[at:], long[at:]
	switch {
	case at+len(short) < 5 || len(short) == 0 || !unicode.IsLetter(long[0]):
		return false
	case len(short) == len(long):
		return len(short) > 1 && unicode.IsLetter(short[0]) &&
			short[0] == long[1] && short[1] == long[0] && slices.Equal(short[2:], long[2:])
	default:
		return slices.Equal(short, long[1:])
	}
}

func fold(s string) []rune { return []rune(strings.ToLower(s)) }

// distance returns the restricted Damerau-Levenshtein distance (optimal string
// alignment). It needs only the last three rows of the usual table.
func distance(a, b []rune) int {
	beforeLast := make([]int, len(b)+1)
	last := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range row {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := last[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			row[j] = min(last[j]+1, row[j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], beforeLast[j-2]+1)
			}
		}
		beforeLast, last, row = last, row, beforeLast
	}
	return last[len(b)]
}

// Unknown returns the message for a name that is not among the known ones: what the name
// should be (a key, a stack), a suggestion, and the known names, if there are any.
func Unknown(what, name string, known []string) string {
	if len(known) == 0 {
		return "unknown " + what
	}
	hint := ""
	if near, ok := Nearest(name, known); ok {
		hint = fmt.Sprintf(": did you mean %q?", shortened(near))
	}
	shown := make([]string, len(known))
	for i, name := range known {
		shown[i] = shortened(name)
	}
	return fmt.Sprintf("unknown %s%s (use %s)", what, hint, OneOf(shown))
}

// OneOf joins alternatives: "a", "a or b", "a, b or c". It returns "" if there are none.
func OneOf(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
