package vm

import "strings"

// withoutDisk are series without local storage, except the sizes with the letter d. Dasv4 and Easv4 have a cache. The
// source has some sizes; the others are on the pages of the series
// (https://learn.microsoft.com/azure/virtual-machines/sizes/overview), in copies without a day.
//
//facts:seen 2026-08-21 https://github.com/Azure/karpenter-provider-azure/blob/main/pkg/fake/zz_generated.sku.southcentralus.go
var withoutDisk = []series{
	{family: "B", from: 2, to: 2, without: "d"},
	{family: "D", from: 4, to: 4, without: "ad"},
	{family: "D", from: 5, without: "d"},
	{family: "E", from: 4, to: 4, without: "ad"},
	{family: "E", from: 5, without: "d"},
	{family: "DC", from: 5, without: "d"},
	{family: "EC", from: 5, without: "d"},
	{family: "F", from: 6, without: "d"},
}

// localDisk is the room for an ephemeral OS disk, from the same sources: in the cache, or on the temporary disk. A few
// large sizes have less, so it is an upper bound.
//
//facts:seen 2026-08-21 https://github.com/Azure/karpenter-provider-azure/blob/main/pkg/fake/zz_generated.sku.southcentralus.go
var localDisk = []share{
	{series{family: "D", from: 4, to: 5, with: "d"}, 37.5, 0},
	{series{family: "E", from: 4, to: 5, with: "d"}, 37.5, 0},
	{series{family: "DC", from: 5, to: 5, with: "d"}, 37.5, 0},
	{series{family: "EC", from: 5, to: 5, with: "d"}, 37.5, 0},
	{series{family: "D", from: 3, to: 3, with: "s"}, 25, 0},
	{series{family: "E", from: 3, to: 3, with: "s"}, 25, 0},
	{series{family: "D", from: 4, to: 4, with: "as"}, 25, 0},
	{series{family: "E", from: 4, to: 4, with: "as"}, 25, 0},
	{series{family: "F", from: 2, to: 2, with: "s"}, 16, 64},
}

// caches are the caches of sizes in GiB, from the same sources: 43 for each CPU.
//
//facts:seen 2026-08-21 https://github.com/Azure/karpenter-provider-azure/blob/main/pkg/fake/zz_generated.sku.southcentralus.go
var caches = map[string]int{
	"Standard_DS1_v2": 43, "Standard_DS2_v2": 86, "Standard_DS3_v2": 172, "Standard_DS4_v2": 344,
	"Standard_DS5_v2": 688,
}

// EphemeralDisk returns the size in GiB of the largest ephemeral OS disk that a machine of a size of Azure has room
// for, in its cache or on its temporary disk. It is 0 if the size has no local storage. False means that this is not
// known.
func EphemeralDisk(size string) (gib int, known bool) {
	s, ok := parseAzure(size)
	switch {
	case !ok:
		return 0, false
	case isIn(withoutDisk, s):
		return 0, true
	case strings.Contains(s.features, "i"): // isolated sizes have numbers of their own
		return 0, false
	case caches[size] > 0:
		return caches[size], true
	default:
		gib = int(shareOf(localDisk, s) * float64(s.number))
	}
	return gib, gib > 0
}
