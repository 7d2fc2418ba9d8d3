package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
	"github.com/mixedkube/mixedkube/internal/system/clock"
)

func TestFactsAreListedWithTheirAges(t *testing.T) {
	t.Parallel()
	type fact struct {
		Names                 []string
		Seen, Expires, Source string
		Days                  int
	}
	var want []fact
	var text strings.Builder
	for _, l := range lives.All() {
		want = append(want, fact{l.Names, l.Seen, l.Expires, l.Source, l.Age(clock.Today())})
		fmt.Fprintf(&text, "%s  %4d days  until %s  %s\n    %s\n", l.Seen, l.Age(clock.Today()), l.Expires,
			strings.Join(l.Names, ", "), l.Source)
	}
	if want[0].Days <= want[len(want)-1].Days {
		t.Errorf("the first fact is %d days old, and the last %d", want[0].Days, want[len(want)-1].Days)
	}
	var got struct{ Facts []fact }
	out := versionOf(t, "--facts", "--format", "json")
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if diff := cmp.Diff(want, got.Facts); diff != "" {
		t.Errorf("json (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(text.String(), versionOf(t, "--facts")); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func versionOf(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := start(t, "", append([]string{"version"}, args...)...)
	if code != passed || stderr != "" {
		t.Fatalf("exit code %v\n%s", code, stderr)
	}
	return stdout
}
