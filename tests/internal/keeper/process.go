package keeper

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// process identifies a process: its ID can be used again.
type process struct {
	pid     int
	started string
}

// note records a process in the directory of a run.
func note(dir, kind string, p process) error {
	path := filepath.Join(dir, kind, strconv.Itoa(p.pid)+"-"+p.started)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, nil, 0o600)
}

// noted returns the recorded processes.
func noted(dir, kind string) []process {
	entries, _ := os.ReadDir(filepath.Join(dir, kind))
	var all []process
	for _, entry := range entries {
		number, started, _ := strings.Cut(entry.Name(), "-")
		if pid, err := strconv.Atoi(number); err == nil {
			all = append(all, process{pid, started})
		}
	}
	return all
}

func self() process { return find(os.Getpid()).process }

// alive reports whether the process runs. A zombie does not.
func (p process) alive() bool {
	found := find(p.pid)
	return found.process == p && found.state != "Z"
}

// details is what /proc or ps shows of a process.
type details struct {
	process

	name, state string
	parent      int
}

// runners are the names of the programs that run tests, and wait for them.
var runners = []string{"go", "make", "stages"}

// ancestors returns the processes that run this test binary, from `go test` up to the first make. Shells between them
// belong to the run; the user's shell does not.
func ancestors() []process {
	var chain []details
	for p := find(os.Getppid()); p.pid > 1; p = find(p.parent) {
		if !slices.Contains(runners, p.name) && !slices.Contains([]string{"sh", "bash", "dash"}, p.name) {
			break
		}
		chain = append(chain, p)
	}
	for len(chain) > 0 && !slices.Contains(runners, chain[len(chain)-1].name) {
		chain = chain[:len(chain)-1]
	}
	var all []process
	if len(chain) == 0 || chain[0].name != "go" {
		return nil // a test binary that runs alone
	}
	for _, p := range chain {
		all = append(all, p.process)
	}
	return all
}
