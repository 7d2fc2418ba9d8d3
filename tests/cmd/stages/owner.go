package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/tests/internal/proctime"
)

// runVariable marks the processes of a run: a lab's processes have no parent.
const runVariable = "MIXEDKUBE_TEST_STAGES"

// testVariable is the name of a test in the environment of its Pulumi runs, see tests/internal/labtest.
const testVariable = "MIXEDKUBE_TEST"

// belongsTo returns a function that reports whether a process has the mark of a run.
func belongsTo(run string) func(proctime.Process) bool {
	mark := runVariable + "=" + run
	return func(p proctime.Process) bool { return slices.Contains(p.Env, mark) }
}

// inTest finds the name of a test in the path of a temporary directory of testing.T.
var inTest = regexp.MustCompile(`/((?:Test|Benchmark)[A-Z]\w*?)\d{5,}/\d{3}\b`)

// owner returns which test a process works for, and what it is.
func owner(root string) func(p proctime.Process, parent proctime.Owner) proctime.Owner {
	return func(p proctime.Process, parent proctime.Owner) proctime.Owner {
		o := proctime.Owner{Test: parent.Test, Program: program(p)}
		if strings.HasSuffix(p.Name, ".test") || strings.HasSuffix(filepath.Base(first(p.Args)), ".test") {
			if path, err := filepath.Rel(root, p.Dir); err == nil && !strings.HasPrefix(path, "..") {
				return proctime.Owner{Test: path, Program: "tests"}
			}
		}
		pkg, _, _ := strings.Cut(o.Test, " ")
		if inLab(p) {
			return proctime.Owner{Test: "labs", Program: o.Program}
		}
		if name := testOf(p); name != "" && pkg != "" {
			o.Test = pkg + " " + name
		}
		if o.Test == "" {
			o.Test = "-"
		}
		return o
	}
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// inLab reports whether a process is part of the control plane of a shared lab, see tests/internal/labtest.
func inLab(p proctime.Process) bool {
	return slices.ContainsFunc(p.Args, func(arg string) bool { return sharedLab.MatchString(arg) })
}

var sharedLab = regexp.MustCompile(`/mixedkube-tests-[^/]+/labs/\d+/lab\d*/cluster/`)

func testOf(p proctime.Process) string {
	for _, entry := range p.Env {
		if name, ok := strings.CutPrefix(entry, testVariable+"="); ok {
			return name
		}
	}
	for _, texts := range [][]string{{p.Dir}, p.Args, p.Env} {
		for _, text := range texts {
			if found := inTest.FindStringSubmatch(text + "/"); found != nil {
				return found[1]
			}
		}
	}
	return ""
}

// program returns the kind of a program.
func program(p proctime.Process) string {
	switch name := p.Name; {
	case name == "compile" || name == "asm" || name == "link" || name == "vet" || name == "go" || name == "cgo":
		return name
	case strings.HasPrefix(name, "pulumi-resource"):
		return "Pulumi's providers"
	case strings.HasPrefix(name, "pulumi"):
		return "Pulumi"
	case strings.HasPrefix(name, "node") || strings.HasPrefix(name, "npm"):
		return "node"
	case strings.HasPrefix(name, "python") || strings.HasPrefix(name, "pip"):
		return "python"
	case strings.HasPrefix(name, "chrom"):
		return "browser"
	default:
		return name
	}
}
