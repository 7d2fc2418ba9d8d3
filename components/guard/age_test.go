package guard_test

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
)

// Each day needs a process of its own, because the other tests have a fixed one.
func TestOldFactsAreReportedOnceInARun(t *testing.T) {
	t.Parallel()
	seen := func(name string) time.Time {
		for _, l := range lives.All() {
			for _, n := range l.Names {
				if day, err := time.Parse(time.DateOnly, l.Seen); n == name && err == nil {
					return day
				}
			}
		}
		t.Fatalf("no fact %s", name)
		return time.Time{}
	}
	const images, aks = "PublishedTags, RetiredImages", "AKSNewest, AKSOldest"
	for _, tt := range []struct {
		program, fact string
		days          int
		want          []string
	}{
		{"clusters", "PublishedTags", 181, []string{images}},
		{"clusters", "PublishedTags", 179, nil},
		{"clusters", "AKSOldest", 181, []string{aks + ", " + images}},
		{"component", "AKSOldest", 181, []string{aks, images}},
		{"empty", "PublishedTags", 181, nil},
	} {
		//nolint:gosec // the test itself
		command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProgramOnADay$", "-test.v")
		command.Env = append(os.Environ(), "MIXEDKUBE_TEST_PROGRAM="+tt.program,
			"MIXEDKUBE_TEST_DAY="+seen(tt.fact).AddDate(0, 0, tt.days).Format(time.DateOnly))
		out, err := command.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		var got []string
		for line := range strings.Lines(string(out)) {
			if _, old, is := strings.Cut(line, `: "`); is && strings.Contains(line, "(MK888)") {
				old, _, _ = strings.Cut(old, `": looked up`)
				got = append(got, old)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s, %d days after %s (-want +got):\n%s\n%s", tt.program, tt.days, tt.fact, diff, out)
		}
	}
}

// TestProgramOnADay logs what a program shows. The test above runs it.
func TestProgramOnADay(t *testing.T) {
	day, err := time.Parse(time.DateOnly, os.Getenv("MIXEDKUBE_TEST_DAY"))
	if err != nil {
		return
	}
	t.Setenv("SOURCE_DATE_EPOCH", strconv.FormatInt(day.Unix(), 10))
	args := guard.Args{Clusters: []guard.Cluster{
		{Provider: "dev", Topology: ofAKS("1.36", platform.WindowsServer2022)},
		{Provider: "prod", Topology: ofAKS("1.36", platform.WindowsServer2022)},
	}}
	program := func(ctx *pulumi.Context) error {
		if err := onePod("web", windows())(ctx); err != nil {
			return err
		}
		return onePod("api", windows())(ctx)
	}
	if os.Getenv("MIXEDKUBE_TEST_PROGRAM") == "component" {
		pods := program
		program = func(ctx *pulumi.Context) error {
			for _, name := range []string{"blue", "green"} {
				b, err := newBox(ctx, name)
				if err != nil {
					return err
				}
				found := support.CheckFacts(day, refusal.NewFacts(ctx, support.UsedFacts()))
				if err := refusal.Log(ctx, b, found); err != nil {
					return err
				}
			}
			return pods(ctx)
		}
	}
	if os.Getenv("MIXEDKUBE_TEST_PROGRAM") == "empty" {
		args, program = guard.Args{}, func(*pulumi.Context) error { return nil }
	}
	graph, _ := mocktest.Run(guarded(args, program), mocktest.Preview())
	for _, line := range logs(graph) {
		t.Log(line)
	}
}
