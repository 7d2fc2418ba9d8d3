package proctime

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// at returns a reading of a process. Its start time is its ID.
func at(pid, parent int, name string, own, waited time.Duration) stat {
	return stat{key{pid, uint64(pid)}, parent, name, own, waited}
}

// TestTimes follows a make that runs a test with a lab and a compiler. The lab's server is an orphan, and some
// processes start and end between two readings.
func TestTimes(t *testing.T) {
	t.Parallel()
	const s = time.Second
	b := newBook(1, func(p Process) bool { return p.Name == "marked" }, func(p Process, parent Owner) Owner {
		if name, ok := strings.CutSuffix(p.Name, ".test"); ok {
			return Owner{name, "test"}
		}
		return Owner{parent.Test, p.Name}
	})
	for _, reading := range [][]stat{
		{at(1, 0, "init", 9*s, 9*s), at(2, 1, "make", 0, 0), at(3, 2, "go", s, 0), at(8, 7, "other", 5*s, 0)},
		{
			at(1, 0, "init", 9*s, 9*s), at(2, 1, "make", 0, 0), at(3, 2, "go", s, 0),
			at(10, 3, "a.test", 2*s, 0), at(11, 10, "kwokctl", s, 0), at(12, 11, "etcd", s, 0),
			at(13, 3, "compile", 2*s, 0), at(14, 1, "marked", s, 0), at(8, 7, "other", 6*s, 0),
		},
		// kwokctl has ended, and etcd is an orphan. The compiler took another second before it ended. The test has
		// waited for kwokctl with 1 s more, and for a process of 2 s that no reading shows.
		{
			at(1, 0, "init", 9*s, 9*s), at(2, 1, "make", 0, 0), at(3, 2, "go", s, 3*s), at(10, 3, "a.test", 3*s, 4*s),
			at(12, 1, "etcd", 4*s, 0),
		},
		// All have ended, in an order that the readings do not show.
		{at(1, 0, "init", 9*s, 9*s), at(2, 1, "make", 0, 0), at(3, 2, "go", s, 10*s)},
	} {
		b.update(slices.Clone(reading), func(s stat) Process {
			return Process{PID: s.pid, Parent: s.parent, Name: s.name}
		})
	}
	want := map[Owner]Use{
		// The second of the compiler after its last reading is in the time for which go has waited.
		{"", "make"}: {0, 1}, {"", "go"}: {2 * s, 1}, {"", "compile"}: {2 * s, 1}, {"", "marked"}: {s, 1},
		{"a", "test"}: {6 * s, 1}, {"a", "kwokctl"}: {s, 1}, {"a", "etcd"}: {4 * s, 1},
	}
	if diff := cmp.Diff(want, b.sums()); diff != "" {
		t.Errorf("the times (-want +got):\n%s", diff)
	}
}

// TestAnotherProgram follows a process that becomes another program, and a process ID that is used again.
func TestAnotherProgram(t *testing.T) {
	t.Parallel()
	const s = time.Second
	b := newBook(1, func(Process) bool { return false }, func(p Process, _ Owner) Owner { return Owner{"", p.Name} })
	again := at(3, 2, "again", s, 0)
	again.started = 99
	for _, reading := range [][]stat{
		{at(2, 1, "sh", s, 0), at(3, 2, "sh", s, 0)},
		{at(2, 1, "sh", s, 0), at(3, 2, "pulumi", 3*s, 0)},
		{at(2, 1, "sh", s, 3*s), again},
	} {
		b.update(reading, func(s stat) Process { return Process{Name: s.name} })
	}
	want := map[Owner]Use{{"", "sh"}: {s, 1}, {"", "pulumi"}: {3 * s, 1}, {"", "again"}: {s, 1}}
	if diff := cmp.Diff(want, b.sums()); diff != "" {
		t.Errorf("the times (-want +got):\n%s", diff)
	}
}
