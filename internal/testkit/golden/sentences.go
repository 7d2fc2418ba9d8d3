package golden

import (
	"regexp"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// AnySentence is an option of [cmp.Diff]: a line "spec.color: … (ID)" equals each line that has a sentence there. So
// only the test of what says it has the sentence.
var AnySentence = cmp.Comparer(func(a, b string) bool { return a == b || like(a, b) || like(b, a) })

func like(want, got string) bool {
	return strings.Contains(want, ": … (") && regexp.MustCompile("^"+pattern(want)+"$").MatchString(got)
}

// Contains reports whether a text has a part, with any sentences where the part leaves them out: see [AnySentence].
func Contains(text, part string) bool { return regexp.MustCompile(pattern(part)).MatchString(text) }

func pattern(text string) string {
	return strings.ReplaceAll(regexp.QuoteMeta(text), `: … \(`, `: .* \(`)
}
