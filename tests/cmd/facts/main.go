// Command facts lists the facts of the package internal/core/facts that have expired, those that expired first at the
// beginning, and those that expire within 30 days. It fails if any have expired: a scheduled job fails until someone has looked them up again, and a release is
// not built. It also fails if the day of a fact is impossible; with -impossible, which make lint uses, only then.
//
//	go -C tests run ./cmd/facts [-day 2026-11-24] [-impossible]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

func main() {
	day := flag.String("day", "", "on which facts have expired, such as 2026-11-24: today by default")
	only := flag.Bool("impossible", false, "look only for impossible days")
	flag.Parse()
	if err := run(*day, *only); err != nil {
		fmt.Fprintln(os.Stderr, "facts:", err)
		os.Exit(1)
	}
}

func run(day string, onlyImpossible bool) error {
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
	if err := impossible(facts, from); err != nil || onlyImpossible {
		return err
	}
	return list(os.Stdout, facts, from)
}

// notice is the time before its end in which a fact is listed.
const notice = 30 * 24 * time.Hour

// list writes the facts that have expired on a day or will expire soon. It returns an error if any have expired.
func list(w io.Writer, facts []fact, day time.Time) error {
	expired := 0
	for _, f := range slices.SortedStableFunc(slices.Values(facts), func(a, b fact) int {
		return a.expires.Compare(b.expires)
	}) {
		if day.Add(notice).Before(f.expires) {
			break
		}
		when := "expires"
		if !day.Before(f.expires) {
			when = "expired"
			expired++
		}
		fmt.Fprintf(w, "%s %s  seen %s  %s\n    %s\n", when, f.expires.Format(time.DateOnly),
			f.seen.Format(time.DateOnly),
			f.name(), f.source)
	}
	if expired > 0 {
		return fmt.Errorf("%d of %d facts have expired on %s: look them up, and change their day in "+
			"internal/core/facts",
			expired, len(facts), day.Format(time.DateOnly))
	}
	fmt.Fprintf(w, "none of %d facts has expired on %s\n", len(facts), day.Format(time.DateOnly))
	return nil
}
