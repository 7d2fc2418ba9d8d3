// Command facts lists the outdated facts of the package internal/core/facts, the oldest first. It
// fails if there are any, so that a scheduled job fails until someone has looked them up again.
//
//	go -C tests run ./cmd/facts [-day 2026-11-24] [-older 90]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

func main() {
	day := flag.String("day", "", "from which to count the age, such as 2026-11-24: today by default")
	older := flag.Int("older", 90, "how many days old a fact may be")
	flag.Parse()
	if err := run(*day, *older); err != nil {
		fmt.Fprintln(os.Stderr, "facts:", err)
		os.Exit(1)
	}
}

func run(day string, older int) error {
	from := time.Now().UTC()
	if day != "" {
		var err error
		if from, err = time.Parse(time.DateOnly, day); err != nil {
			return fmt.Errorf("-day %q is not a day: write 2026-11-24", day)
		}
	}
	facts, err := read(filepath.Join("..", "internal", "core", "facts"))
	if err != nil {
		return err
	}
	return list(os.Stdout, facts, from, older)
}

// list writes the facts that were looked up more than the given number of days before a day, and returns an
// error if there are any.
func list(w io.Writer, facts []fact, from time.Time, days int) error {
	found := 0
	for _, f := range facts {
		if age := int(from.Sub(f.seen).Hours() / 24); age > days {
			found++
			fmt.Fprintf(w, "%s  %4d days  %s\n    %s\n", f.seen.Format(time.DateOnly), age, f.name, f.source)
		}
	}
	if found > 0 {
		return fmt.Errorf("%d of %d facts were looked up more than %d days before %s: look them up, and change their "+
			"day in internal/core/facts", found, len(facts), days, from.Format(time.DateOnly))
	}
	fmt.Fprintf(w, "all %d facts were looked up in the %d days before %s\n", len(facts), days,
		from.Format(time.DateOnly))
	return nil
}
