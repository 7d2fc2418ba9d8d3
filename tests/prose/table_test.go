package prose_test

import "testing"

func TestPatternsFindTheirPhrases(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, p := range patterns {
		if p.name == "" || p.write == "" || len(p.old) == 0 || len(p.fine) == 0 || names[p.name] {
			t.Errorf("%s: needs a name of its own, what to write, and sentences of both kinds", p.name)
		}
		names[p.name] = true
		c := compile(p)
		if c.needles == nil {
			t.Errorf("%s: has no needles, so that it is slow", p.name)
		}
		for _, sentence := range p.old {
			if c.in(sentence) == nil {
				t.Errorf("%s: does not find %q", p.name, sentence)
			}
		}
		for _, sentence := range p.fine {
			if hits := c.in(sentence); len(hits) > 0 {
				t.Errorf("%s: finds %q in %q", p.name, sentence[hits[0][0]:hits[0][1]], sentence)
			}
		}
	}
}

func TestTheSentencesOfTheReviewAreFound(t *testing.T) {
	t.Parallel()
	for _, sentence := range review {
		found := false
		for _, p := range patterns {
			found = found || len(compile(p).in(sentence)) > 0
		}
		if !found {
			t.Errorf("no pattern finds %q", sentence)
		}
	}
}
