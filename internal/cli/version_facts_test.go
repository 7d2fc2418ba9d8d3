package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
)

// The day is one on which some facts have expired and others have not.
func TestFactsAreListedWithTheirAges(t *testing.T) {
	type fact struct {
		Names                 []string
		Seen, Expires, Source string
		Days                  int
		Expired               bool
	}
	all := lives.All()
	days := make([]string, len(all))
	for i, l := range all {
		days[i] = l.Expires
	}
	slices.Sort(days)
	today, err := time.Parse(time.DateOnly, days[len(days)/2])
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", strconv.FormatInt(today.Unix(), 10))
	var want []fact
	var text strings.Builder
	expired := 0
	for _, l := range all {
		isExpired, word := l.Expires <= days[len(days)/2], "until  "
		if isExpired {
			word = "EXPIRED"
			expired++
		}
		want = append(want, fact{l.Names, l.Seen, l.Expires, l.Source, l.Age(today), isExpired})
		fmt.Fprintf(&text, "%s  %4d days  %s %s  %s\n    %s\n", l.Seen, l.Age(today), word, l.Expires,
			strings.Join(l.Names, ", "), l.Source)
	}
	if expired == 0 || expired == len(all) {
		t.Errorf("%d of %d facts have expired", expired, len(all))
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
