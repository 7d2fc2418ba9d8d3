package labtest

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Operation is an operation of Pulumi on a resource.
type Operation struct{ Op, Type, Name string }

// String returns a line for [SameLines].
func (o Operation) String() string { return o.Op + " " + o.Type + " " + o.Name }

// EventLog returns a file for the events of one run of Pulumi, and the arguments with which Pulumi writes it.
func EventLog(t *testing.T) (path string, args []string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "events.jsonl")
	return path, []string{"--event-log", path}
}

// Operations returns the operations in the events of a run, sorted. It leaves out resources without changes, and
// reads.
func Operations(t *testing.T, events string) []string {
	t.Helper()
	return operations(t, events, false)
}

// Planned returns the operations that a preview announces, as Operations does.
func Planned(t *testing.T, events string) []string {
	t.Helper()
	return operations(t, events, true)
}

func operations(t *testing.T, events string, planned bool) []string {
	t.Helper()
	file, err := os.Open(events)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var found []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var event struct {
			ResOutputsEvent *struct {
				Metadata struct{ Op, URN string }
				Planning bool
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			t.Fatal(err)
		}
		if event.ResOutputsEvent == nil || event.ResOutputsEvent.Planning != planned {
			continue
		}
		op, urn := event.ResOutputsEvent.Metadata.Op, event.ResOutputsEvent.Metadata.URN
		if op == "same" || op == "read" {
			continue
		}
		// urn:pulumi:STACK::PROJECT::TYPE$TYPE::NAME
		parts := strings.Split(urn, "::")
		types := strings.Split(parts[2], "$")
		found = append(found, Operation{op, types[len(types)-1], parts[3]}.String())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

// Removals matches the operations in the output of a preview that replace or delete a resource.
var Removals = regexp.MustCompile(`\((replace|delete|create-replacement|delete-replaced)\)`)

// Lines returns the trimmed lines of a text that are not empty, or nil if there are none.
func Lines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// SameLines fails unless the lines are the lines of a text.
func SameLines(t *testing.T, what, want string, got []string) {
	t.Helper()
	if diff := cmp.Diff(Lines(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
