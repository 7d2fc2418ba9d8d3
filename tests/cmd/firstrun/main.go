// Command firstrun measures how long a user waits the first time, and later, at two
// commits on the same machine in one run: see `make bench-first-run`.
//
// It clones each commit, with an empty build cache and an empty tool cache of its own. The
// module cache is the user's cache: the time includes fetching missing modules, so only the
// second run counts.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

func main() {
	before := flag.String("before", "eef9502", "the `commit` to compare with; \"\" if there is none")
	after := flag.String("after", "HEAD", "the `commit` to measure")
	measure := flag.String("measure", "up,archive,test",
		"what to measure: up, test; and only for -after: archive, clone")
	flag.Parse()
	if err := run(*before, *after, strings.Split(*measure, ",")); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

func run(before, after string, measures []string) (err error) {
	warnOfPath()
	root, err := output("", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "firstrun-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var rows []row
	for _, commit := range []string{before, after} {
		if commit == "" {
			continue
		}
		c := checkout{commit: commit, dir: filepath.Join(dir, commit)}
		if err := c.clone(root); err != nil {
			return err
		}
		for _, measure := range measures {
			measured, err := c.measure(measure, commit == after)
			rows = append(rows, measured...)
			if err != nil {
				return errors.Join(err, show(rows))
			}
		}
	}
	return show(rows)
}

// row is a measurement at a commit.
type row struct {
	commit, what    string
	wall, processor time.Duration
}

func show(rows []row) error {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "MEASURE\tCOMMIT\tWALL\tPROCESSOR\tWALL : BEFORE\tPROCESSOR : BEFORE\n")
	for i, r := range rows {
		fmt.Fprintf(table, "%s\t%s\t%.0f s\t%.0f s", r.what, r.commit, r.wall.Seconds(), r.processor.Seconds())
		for _, earlier := range rows[:i] {
			if earlier.what == r.what || r.what == fromArchive && earlier.what == coldUp && earlier.commit != r.commit {
				fmt.Fprintf(table, "\t%.2f\t%.2f", r.wall.Seconds()/earlier.wall.Seconds(),
					r.processor.Seconds()/earlier.processor.Seconds())
				break
			}
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}

const (
	coldUp      = "cold make up"
	warmUp      = "warm make up"
	secondUp    = "second make up"
	fromArchive = "make up with the archive"
	coldTest    = "cold make test"
	warmTest    = "warm make test"
)

// checkout is a clone at a commit.
type checkout struct {
	commit, dir string
	// caches holds the build cache and the tool cache.
	caches string
	// more are further environment variables.
	more []string
}

// warnOfPath prints the tools of the lab that are on PATH.
func warnOfPath() {
	for _, name := range tools.Names() {
		if path, err := exec.LookPath(name); err == nil {
			fmt.Printf("== %s is on PATH: if its version fits, it is used, and not built\n", path)
		}
	}
}

func (c checkout) clone(root string) error {
	commit, err := output(root, "git", "rev-parse", c.commit)
	if err != nil {
		return err
	}
	if _, err := output("", "git", "clone", "--quiet", "--no-checkout", root, c.dir); err != nil {
		return err
	}
	_, err = output(c.dir, "git", "checkout", "--quiet", "--detach", commit)
	return err
}

func (c checkout) measure(what string, isAfter bool) ([]row, error) {
	c.caches = c.dir + "-" + what
	switch what {
	case "up":
		return c.series(coldUp, "up", "", "down", warmUp, "up", secondUp, "up", "", "down")
	case "archive":
		if !isAfter {
			return nil, nil
		}
		// It packs the tools that up has built, or builds them.
		c.caches = c.dir + "-up"
		stop, err := c.serveArchive()
		if err != nil {
			return nil, err
		}
		defer stop()
		c.caches = c.dir + "-archive"
		return c.series(fromArchive, "up", "", "down")
	case "test":
		return c.series(coldTest, "test", warmTest, "test")
	case "clone":
		if !isAfter {
			return nil, nil
		}
		c.more = append(c.more, "GOMODCACHE="+filepath.Join(c.caches, "mod"))
		return c.series("new user: make up", "up", "new user: make status", "status", "new user: make test", "test",
			"new user: make lint", "lint", "", "down")
	default:
		return nil, fmt.Errorf("%q cannot be measured: up, archive, test and clone can", what)
	}
}

// series runs targets of make, and measures the targets that have a name.
func (c checkout) series(namesAndTargets ...string) ([]row, error) {
	var rows []row
	for i := 0; i < len(namesAndTargets); i += 2 {
		name, target := namesAndTargets[i], namesAndTargets[i+1]
		fmt.Printf("== %s: %s\n", c.commit, cmp.Or(name, "make "+target))
		started, before := time.Now(), processor()
		if err := c.make(target); err != nil {
			// Nothing is left running in a directory that is removed.
			return rows, errors.Join(fmt.Errorf("%s: make %s: %w", c.commit, target, err), c.make("down"))
		}
		if name != "" {
			r := row{c.commit, name, time.Since(started), processor() - before}
			rows = append(rows, r)
			fmt.Printf("== %s: %s: %.0f s, %.0f s of processor time\n", r.commit, r.what, r.wall.Seconds(),
				r.processor.Seconds())
		}
	}
	return rows, nil
}

func (c checkout) make(args ...string) error { return c.command("make", args...).Run() }

func (c checkout) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+c.caches, "GOCACHE="+filepath.Join(c.caches, "go-build"),
		"PULUMI_HOME="+filepath.Join(c.caches, "pulumi"),
		"MIXEDKUBE_TOOLS_URL=off", "GOFLAGS=", "GOGC=", "MAKEFLAGS=", "MAKELEVEL=")
	cmd.Env = append(cmd.Env, c.more...)
	return cmd
}

// serveArchive packs the tools, records the archive in the clone, and serves it on this
// machine.
func (c *checkout) serveArchive() (stop func(), err error) {
	const release = "measured"
	served := c.caches + "-served"
	pack := c.command("go", "-C", "internal/lab", "run", "./cmd/lab", "tools", "-pack", filepath.Join(served, release),
		"-release", release)
	if err := pack.Run(); err != nil {
		return nil, err
	}
	records, err := filepath.Glob(filepath.Join(served, release, "*.json"))
	if err != nil || len(records) != 1 {
		return nil, fmt.Errorf("records of the archive: %q, %w", records, err)
	}
	record, err := os.ReadFile(records[0])
	if err != nil {
		return nil, err
	}
	recorded := filepath.Join(c.dir, "internal", "lab", "tools", "archives.json")
	if err := os.WriteFile(recorded, []byte("["+string(record)+"]\n"), 0o644); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: http.FileServer(http.Dir(served)), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	c.more = []string{"MIXEDKUBE_TOOLS_URL=http://" + listener.Addr().String()}
	return func() { _ = server.Close() }, nil
}

// processor returns the processor time of all commands that have ended.
func processor() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}
