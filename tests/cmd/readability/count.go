package main

import (
	"regexp"
	"strings"

	"github.com/mixedkube/mixedkube/tests/prose"
)

// longSentence is the number of words that a sentence should not exceed
// (https://insidegovuk.blog.gov.uk/2014/08/04/sentence-length-why-25-words-is-our-limit/).
const longSentence = 25

// counts has the counts of one page, or the sums of several pages.
type counts struct{ sentences, words, syllables, long, passive int }

func (c *counts) add(o counts) {
	c.sentences += o.sentences
	c.words += o.words
	c.syllables += o.syllables
	c.long += o.long
	c.passive += o.passive
}

// flesch returns the Flesch reading ease: 60 to 70 is plain English, below 30 is very difficult
// (https://en.wikipedia.org/wiki/Flesch%E2%80%93Kincaid_readability_tests).
func (c counts) flesch() float64 {
	if c.sentences == 0 {
		return 0
	}
	return 206.835 - 1.015*ratio(c.words, c.sentences) - 84.6*ratio(c.syllables, c.words)
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

var (
	end     = regexp.MustCompile(`[.!?:]["')*]*(\s+|$)`)
	word    = regexp.MustCompile(`[A-Za-z][A-Za-z'-]*`)
	vowels  = regexp.MustCompile(`[aeiouy]+`)
	passive = regexp.MustCompile(`\b(is|are|was|were|be|been|being) (\w+ly |not |also |then )*(\w+ed|made|run|set|` +
		`given|known|shown|seen|found|kept|left|told|said|taken|written|built|drawn|read|sent|put|done|held|lost|` +
		`meant|chosen)\b`)
)

func count(units []prose.Unit) counts {
	var c counts
	for _, u := range units {
		if !u.Heading && !u.Cell {
			c.add(countText(u.Masked))
		}
	}
	return c
}

// countText leaves out the text after the last full stop.
func countText(text string) counts {
	var c counts
	from := 0
	for _, at := range end.FindAllStringIndex(text, -1) {
		sentence := text[from:at[1]]
		from = at[1]
		words := word.FindAllString(sentence, -1)
		if len(words) < 2 {
			continue
		}
		c.sentences++
		c.words += len(words)
		for _, w := range words {
			c.syllables += syllables(w)
		}
		if len(words) > longSentence {
			c.long++
		}
		if passive.MatchString(sentence) {
			c.passive++
		}
	}
	return c
}

// syllables counts groups of vowels, except a silent e at the end.
func syllables(w string) int {
	w = strings.ToLower(w)
	n := len(vowels.FindAllString(w, -1))
	if strings.HasSuffix(w, "e") && !strings.HasSuffix(w, "le") {
		n--
	}
	return max(n, 1)
}
