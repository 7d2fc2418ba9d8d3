// Command sizes compares the lines of each directory with the budget in its budget.txt, and then the size of the code in
// several commits: lines, the longest file and the longest function, directories, tests and rules. Other changes added
// code between eef9502 and b7da5c8; the redesign began with b7da5c8.
//
//	go -C tests run ./cmd/sizes [-write] eef9502 b7da5c8 HEAD
//
// With -write it writes the sizes, rounded up to 100, into the existing budgets: after a move of directories.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
)

func main() {
	write := flag.Bool("write", false, "write the sizes into the budgets, instead of comparing")
	flag.Parse()
	if err := run(*write, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sizes:", err)
		os.Exit(1)
	}
}

func run(write bool, commits []string, out io.Writer) error {
	all, err := readFolders()
	if err != nil {
		return err
	}
	if write {
		return all.write()
	}
	if err := all.show(out); err != nil {
		return err
	}
	if len(commits) > 0 {
		fmt.Fprintln(out)
	}
	if err := showCommits(commits, out); err != nil {
		return err
	}
	if findings := all.findings(); len(findings) > 0 {
		return fmt.Errorf("the budgets do not fit:\n%s", strings.Join(findings, "\n"))
	}
	return nil
}

// show prints the lines of each directory, and its budget.
func (f folders) show(to io.Writer) error {
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(out, "lines of")
	for _, kind := range kinds {
		fmt.Fprint(out, "\t", kind, "\tbudget")
	}
	fmt.Fprintln(out, "\t")
	for _, dir := range f.dirs() {
		fmt.Fprint(out, dir)
		for i := range kinds {
			fmt.Fprint(out, "\t", f.sizes[dir][i], "\t", f.budgets[dir][i])
		}
		fmt.Fprintln(out, "\t")
	}
	return out.Flush()
}

// showCommits compares the size of the code in commits.
func showCommits(commits []string, to io.Writer) error {
	var all []sizes
	for _, commit := range commits {
		files, err := filesOf(commit, isGo)
		if err != nil {
			return err
		}
		s, err := measure(files)
		if err != nil {
			return fmt.Errorf("%s: %w", commit, err)
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil
	}
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "commit\t"+strings.Join(commits, "\t"))
	for _, r := range rows {
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
