package facts

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

func TestTablesAgreeWithTheirSources(t *testing.T) {
	for _, o := range oracles {
		for _, difference := range o.differences(t) {
			t.Errorf("%s: %s", o.name, difference)
		}
	}
}

// One wrong value in a table is noticed by an oracle that does not use the table.
func TestAWrongValueIsNoticed(t *testing.T) {
	skus, releases := slices.Clone(facts.SKUs), slices.Clone(facts.AKSReleases)
	for _, wrong := range []struct {
		table, notices string
		put            func() (restore func())
	}{
		{"SKUs", "upgrade-os-version.md", func() func() {
			return sku("Ubuntu2204", func(s *facts.SKU) { s.Last.Minor++ })
		}},
		{"SKUs", "retirement notes", func() func() {
			return sku("Windows2022", func(s *facts.SKU) { s.Removed = "2029-07-30" })
		}},
		{"SKUs", "enable-fips-nodes.md", func() func() {
			return sku("Windows2025", func(s *facts.SKU) { s.FIPS = facts.FIPSOptional })
		}},
		{"SKUs", "the SDK's enumeration", func() func() {
			return sku("CBLMariner", func(s *facts.SKU) { s.Name = "CBL-Mariner" })
		}},
		{"SKUReleases", "defaults of upgrade-os-version.md", func() func() {
			return swap(&facts.SKUReleases[0].Since, kubeversion.Version{Major: 1, Minor: 34})
		}},
		{"AKSReleases", "supported-kubernetes-versions.md", func() func() {
			return swap(&facts.AKSReleases[5].Ends, "2026-12-31")
		}},
		{"AKSPatches", "AKS' release notes", func() func() {
			version := kubeversion.Version{Major: 1, Minor: 36}
			before := facts.AKSPatches[version]
			facts.AKSPatches[version] = before + 1
			return func() { facts.AKSPatches[version] = before }
		}},
		{"AKSReserved", "concepts-network-cni-overview.md", func() func() {
			return swap(&facts.AKSReserved[1], netip.MustParsePrefix("172.30.0.0/15"))
		}},
		{"AKSMaxPods", "numbers on pages", func() func() { return swap(&facts.AKSMaxPods.Max, 110) }},
		{"AKSNodes", "the SDK's comments", func() func() { return swap(&facts.AKSNodes.Max, 100) }},
		{"AKSNATIPs", "the SDK's comments", func() func() { return swap(&facts.AKSNATIPs.Max, 100) }},
		{"AKSOutboundIPs", "the SDK's comments", func() func() { return swap(&facts.AKSOutboundIPs.Min, 0) }},
		{"AKSOutboundPorts", "the SDK's comments", func() func() { return swap(&facts.AKSOutboundPorts.Max, 65536) }},
		{"AKSOutboundIdle", "the SDK's comments", func() func() { return swap(&facts.AKSOutboundIdle.Max, 100) }},
		{"WindowsSupport", "lifecycle pages", func() func() {
			before := facts.WindowsSupport["windows-2025"]
			facts.WindowsSupport["windows-2025"] = facts.Support{Mainstream: "2029-10-09", Extended: before.Extended}
			return func() { facts.WindowsSupport["windows-2025"] = before }
		}},
	} {
		restore := wrong.put()
		for _, o := range oracles {
			if found := o.differences(t); o.name == wrong.notices && len(found) == 0 {
				t.Errorf("a wrong value of %s: %s does not notice it", wrong.table, o.name)
			}
		}
		restore()
	}
	if !slices.Equal(skus, facts.SKUs) || !slices.Equal(releases, facts.AKSReleases) {
		t.Error("the tables were not restored")
	}
	TestTablesAgreeWithTheirSources(t)
}

// swap sets a value, and returns the function that restores it.
func swap[T any](at *T, value T) func() {
	before := *at
	*at = value
	return func() { *at = before }
}

// sku changes an osSKU.
func sku(name string, change func(*facts.SKU)) func() {
	i := slices.IndexFunc(facts.SKUs, func(s facts.SKU) bool { return s.Name == name })
	changed := facts.SKUs[i]
	change(&changed)
	return swap(&facts.SKUs[i], changed)
}
