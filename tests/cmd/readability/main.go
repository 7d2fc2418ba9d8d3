// Command readability measures how hard pages are to read: the number of words in a sentence, the share of
// sentences with more than 25 words and of sentences in the passive voice, and the Flesch reading ease.
// Headings, tables, code and items without a full stop do not count. By default it measures
// README.md and docs/*.md.
//
//	go -C tests run ./cmd/readability ../README.md
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/mixedkube/mixedkube/tests/prose"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "readability:", err)
		os.Exit(1)
	}
}

func run(pages []string) error {
	if len(pages) == 0 {
		docs, err := filepath.Glob("../docs/*.md")
		if err != nil {
			return err
		}
		pages = append([]string{"../README.md"}, docs...)
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "page\tsentences\twords\twords/sentence\t> 25 words\tpassive\tFlesch\t")
	var all counts
	for _, page := range pages {
		source, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		units, err := prose.Find(page, source)
		if err != nil {
			return err
		}
		c := count(units)
		all.add(c)
		write(out, filepath.Base(page), c)
	}
	write(out, "all", all)
	return out.Flush()
}

func write(out *tabwriter.Writer, name string, c counts) {
	fmt.Fprintf(out, "%s\t%d\t%d\t%.1f\t%.0f %%\t%.0f %%\t%.0f\t\n", name, c.sentences, c.words,
		ratio(c.words, c.sentences), 100*ratio(c.long, c.sentences), 100*ratio(c.passive, c.sentences), c.flesch())
}
