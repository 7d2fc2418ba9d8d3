package guard_test

import (
	"slices"
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
	"github.com/mixedkube/mixedkube/internal/system/clock"
)

//nolint:paralleltest // it changes the day
func TestOldFactsAreReportedOnceInARun(t *testing.T) {
	images, aks := lives.UsedBy("core/platform"), lives.UsedBy(
		"core/aks/support", "core/preflight/internal/rules/services", "internal/core/placement", "internal/core/pods")
	clusters := guard.Args{Clusters: []guard.Cluster{
		{Provider: "dev", Topology: ofAKS("1.36", platform.WindowsServer2022)},
		{Provider: "prod", Topology: ofAKS("1.36", platform.WindowsServer2022)},
	}}
	pods := func(ctx *pulumi.Context) error {
		if err := onePod("web", windows(nil))(ctx); err != nil {
			return err
		}
		return onePod("api", windows(nil))(ctx)
	}
	components := func(ctx *pulumi.Context) error {
		for _, name := range []string{"blue", "green"} {
			b, err := newBox(ctx, name)
			if err != nil {
				return err
			}
			found := support.CheckFacts(clock.Today(), refusal.NewFacts(ctx, aks))
			if err := refusal.Log(ctx, b, found); err != nil {
				return err
			}
		}
		return pods(ctx)
	}
	nothing := func(*pulumi.Context) error { return nil }
	for name, tt := range map[string]struct {
		args    guard.Args
		program pulumi.RunFunc
		fact    string
		days    int
		used    [][]string // by each finding, sorted
	}{
		"old images":          {clusters, pods, "PublishedTags", 181, [][]string{slices.Concat(images, aks)}},
		"images in time":      {clusters, pods, "PublishedTags", 179, [][]string{slices.Concat(images, aks)}},
		"old SKUs":            {clusters, pods, "SKUs", 181, [][]string{slices.Concat(images, aks)}},
		"after two clusters":  {clusters, components, "SKUs", 181, [][]string{aks, images}},
		"a cluster elsewhere": {guard.Args{}, pods, "SKUs", 181, [][]string{images}},
		"nothing is used":     {guard.Args{}, nothing, "SKUs", 181, nil},
	} {
		day := seen(t, tt.fact).AddDate(0, 0, tt.days)
		t.Setenv("SOURCE_DATE_EPOCH", strconv.FormatInt(day.Unix(), 10))
		var want []string
		for _, names := range tt.used {
			if old, _ := lives.Aged(day, names...); len(old) > 0 {
				want = append(want, strings.Join(old, ", "))
			}
		}
		graph, err := mocktest.Run(guarded(tt.args, tt.program), mocktest.Preview())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got []string
		for _, line := range logs(graph) {
			if strings.Contains(line, "Topology: ") {
				t.Errorf("%s: the finding is not about Facts: %s", name, line)
			}
			if _, old, is := strings.Cut(line, `: "`); is && strings.Contains(line, "(MK888)") {
				old, _, _ = strings.Cut(old, `": looked up`)
				got = append(got, old)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// seen returns the day on which the source of a fact was read.
func seen(t *testing.T, fact string) time.Time {
	t.Helper()
	for _, l := range lives.All() {
		if day, err := time.Parse(time.DateOnly, l.Seen); err == nil && slices.Contains(l.Names, fact) {
			return day
		}
	}
	t.Fatalf("there is no fact %s", fact)
	return time.Time{}
}
