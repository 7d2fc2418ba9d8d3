// Command sizes compares the size of the code in several commits: lines, the longest file and the
// longest function, directories, tests and rules. Other changes added code between eef9502 and b7da5c8;
// the redesign began with b7da5c8.
//
//	go -C tests run ./cmd/sizes eef9502 b7da5c8 HEAD
package main

import (
	"fmt"
	"os"
	"strconv"
	"text/tabwriter"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sizes:", err)
		os.Exit(1)
	}
}

func run(commits []string) error {
	if len(commits) == 0 {
		commits = []string{"HEAD"}
	}
	var all []sizes
	for _, commit := range commits {
		files, err := goFiles(commit)
		if err != nil {
			return err
		}
		s, err := measure(files)
		if err != nil {
			return fmt.Errorf("%s: %w", commit, err)
		}
		all = append(all, s)
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for i, r := range rows {
		if i == 0 {
			fmt.Fprint(out, "commit")
			for _, commit := range commits {
				fmt.Fprint(out, "\t", commit)
			}
			fmt.Fprintln(out)
		}
		fmt.Fprint(out, r.what)
		for _, s := range all {
			fmt.Fprint(out, "\t", r.of(s))
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

var rows = []struct {
	what string
	of   func(sizes) string
}{
	{"library: files", func(s sizes) string { return strconv.Itoa(s.library.files) }},
	{"library: lines", func(s sizes) string { return strconv.Itoa(s.library.lines) }},
	{"library: lines of code, of 100 columns", func(s sizes) string { return strconv.Itoa(s.library.code) }},
	{"library: longest file", func(s sizes) string { return s.library.longestFile.String() }},
	{"library: longest function", func(s sizes) string { return s.library.longestFunction.String() }},
	{"library: directories in internal", func(s sizes) string { return strconv.Itoa(len(s.dirs)) }},
	{"lab and simulated Azure: lines", func(s sizes) string { return strconv.Itoa(s.lab.lines) }},
	{"lab and simulated Azure: longest file", func(s sizes) string { return s.lab.longestFile.String() }},
	{"lab and simulated Azure: longest function", func(s sizes) string { return s.lab.longestFunction.String() }},
	{"tests: lines", func(s sizes) string { return strconv.Itoa(s.tests.lines) }},
	{"tests", func(s sizes) string { return strconv.Itoa(s.functions["Test"]) }},
	{"fuzz targets", func(s sizes) string { return strconv.Itoa(s.functions["Fuzz"]) }},
	{"benchmarks", func(s sizes) string { return strconv.Itoa(s.functions["Benchmark"]) }},
	{"IDs of rules", func(s sizes) string { return strconv.Itoa(len(s.rules)) }},
}
