package refusal_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
)

// The old facts that a component uses are reported once in a program.
func TestLogFacts(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", strconv.FormatInt(time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), 10))
	graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
		for _, uses := range []map[string]bool{
			{"CSIProxyImage": true, "HostProcessImage": false},
			{"CSIProxyImage": true, "HostProcessImage": true},
			{"HostProcessImage": true},
		} {
			if err := refusal.LogFacts(ctx, nil, uses); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range graph.Logs() {
		name, _, _ := strings.Cut(l.Message, ": looked up")
		got = append(got, name)
	}
	if diff := cmp.Diff([]string{`"CSIProxyImage"`, `"HostProcessImage"`}, got); diff != "" {
		t.Errorf("logs (-want +got):\n%s", diff)
	}
}
