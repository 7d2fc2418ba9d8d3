package vm

import "slices"

// The source is a list of Azure's answers about some sizes, which was generated on 2025-06-03. The families of the
// others are on the page https://learn.microsoft.com/azure/virtual-machines/trusted-launch#virtual-machines-sizes, in a
// copy without a day that is not older than 2025-04-21.
//
//facts:seen 2026-08-21 https://github.com/Azure/karpenter-provider-azure/blob/main/pkg/fake/zz_generated.sku.southcentralus.go
var (
	// trustedLaunch are the series with Trusted Launch. Sizes without premium disks before version 4 start only
	// generation 1.
	trustedLaunch = []series{
		{family: "B"},
		{family: "D", from: 3, to: 3, with: "s"},
		{family: "D", from: 4, without: "p"},
		{family: "D", from: 6, with: "p"},
		{family: "DS", from: 2, to: 2},
		{family: "E", from: 3, to: 3, with: "s"},
		{family: "E", from: 4, without: "p"},
		{family: "E", from: 6, with: "p"},
		{family: "F", from: 2},
		{family: "FX"},
		{family: "L", with: "s"},
	}
	// withoutTrustedLaunch are families without Trusted Launch.
	withoutTrustedLaunch = []string{"A", "DC", "EC", "M", "NP"}
)

// TrustedLaunch reports whether machines of a size can have Trusted Launch, which it reads from the name of the size.
// known is false for series whose names do not show it: those with accelerators and for high performance computing,
// where it depends on the drivers.
func TrustedLaunch(size string) (has, known bool) {
	s, ok := parseAzure(size)
	if !ok {
		return false, false
	}
	known = slices.Contains(withoutTrustedLaunch, s.family) ||
		slices.ContainsFunc(trustedLaunch, func(r series) bool { return r.family == s.family })
	return isIn(trustedLaunch, s), known
}
