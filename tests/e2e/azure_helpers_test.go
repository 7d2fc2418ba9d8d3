package e2e

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
)

// azureLab is a lab whose stack, lab, makes its cluster in the simulated Azure, with a
// configuration of the test's.
type azureLab struct{ testLab }

func newAzureLab(t *testing.T) azureLab {
	t.Helper()
	l := newLab(t)
	l.Stacks = t.TempDir()
	return azureLab{l}
}

// configure writes the stack's configuration: a version of Kubernetes, pools and
// workloads as they stand in it, a line each.
func (l azureLab) configure(t *testing.T, version string, pools []string, workloads ...string) {
	t.Helper()
	lines := []string{
		"config:",
		"  azure-native:location: westeurope",
		"  mixedkube:aks: {azureCLI: true, unprotected: true}",
		"  mixedkube:workloads: [" + strings.Join(workloads, ", ") + "]",
		"  mixedkube:cluster:",
		`    kubernetesVersion: "` + version + `"`,
		"    pools:",
	}
	for _, pool := range pools {
		lines = append(lines, "      - {"+pool+"}")
	}
	check(t, os.WriteFile(deploy.StackFile(l.Stacks, "lab"), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
}

// start starts the lab without deploying anything.
func (l azureLab) start(t *testing.T) *deploy.Stack {
	t.Helper()
	check(t, l.Start(t.Context(), lab.Options{Stack: "lab"}))
	stack, err := l.Deployment(t.Context())
	check(t, err)
	return stack
}

// operation is what Pulumi did to a resource.
type operation struct{ Op, Type, Name string }

func (o operation) String() string { return o.Op + " " + o.Type + " " + o.Name }

// eventLog is the file for the events of one run of Pulumi, and the arguments that
// make Pulumi write it.
func eventLog(t *testing.T) (path string, args []string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "events.jsonl")
	return path, []string{"--event-log", path}
}

// operations are those of the events of a run that changed something, sorted. The
// stack itself, providers that stay and reads are left out.
func operations(t *testing.T, events string) []string {
	t.Helper()
	file, err := os.Open(events)
	check(t, err)
	defer func() { _ = file.Close() }()
	var done []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var event struct {
			ResOutputsEvent *struct {
				Metadata struct{ Op, URN string }
				Planning bool
			}
		}
		check(t, json.Unmarshal(lines.Bytes(), &event))
		if event.ResOutputsEvent == nil || event.ResOutputsEvent.Planning {
			continue
		}
		op, urn := event.ResOutputsEvent.Metadata.Op, event.ResOutputsEvent.Metadata.URN
		if op == "same" || op == "read" {
			continue
		}
		// urn:pulumi:STACK::PROJECT::TYPE$TYPE::NAME
		parts := strings.Split(urn, "::")
		types := strings.Split(parts[2], "$")
		done = append(done, operation{op, types[len(types)-1], parts[3]}.String())
	}
	check(t, lines.Err())
	slices.Sort(done)
	return done
}
