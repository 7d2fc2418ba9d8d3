package plan_test

import (
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

func day(text string) time.Time {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return t
}

func briefs(findings []rule.Finding) (all []string) {
	for _, f := range findings {
		all = append(all, string(f.Severity)+": "+ruletest.Brief(f))
	}
	return all
}

func TestTheEndOfAVersion(t *testing.T) {
	t.Parallel()
	const info, warning = "info: kubernetesVersion (MK669)", "warning: kubernetesVersion (MK669)"
	for name, c := range map[string]struct {
		version, today string
		want           []string
	}{
		"long before":           {"1.34", "2026-07-28", nil},
		"90 days before":        {"1.34", "2026-07-29", []string{info}},
		"on the day":            {"1.34", "2026-10-27", []string{info}},
		"two days later":        {"1.34", "2026-10-29", []string{warning}},
		"a newer version":       {"1.35", "2026-11-29", nil},
		"a version without end": {"1.37", "2029-01-01", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			equal(t, "cluster", c.want, briefs(good("", func(p *plan.Cluster) {
				p.KubernetesVersion, p.Today = c.version, day(c.today)
			}).Validate()))
			equal(t, "joining pool", c.want, briefs(joining(func(j *plan.Joining) {
				j.KubernetesVersion, j.Today = c.version, day(c.today)
			}).Validate()))
		})
	}
	equal(t, "a pool", []string{"warning: pools[1].kubernetesVersion (MK669)"},
		briefs(good("", func(p *plan.Cluster) {
			p.Pools[1].KubernetesVersion, p.Today = "1.34", day("2026-12-02")
		}).Validate()))
	equal(t, "no day", []string(nil),
		briefs(good("", func(p *plan.Cluster) { p.KubernetesVersion = "1.34" }).Validate()))
}
