package plan

import (
	"maps"
	"slices"
	"strings"
)

// TakenOverTag is the tag of a cluster that was created without this library. Its properties that the program does not
// set stay as they are in Azure.
const TakenOverTag = "mixedkube-taken-over"

// OwnerTag is the tag of a pool with the name of the program that manages the pool, in a cluster that the program does
// not manage. If the program no longer has the pool, the pool no longer counts.
const OwnerTag = "mixedkube-pool-of"

// ownTags are the keys of the tags of this library.
var ownTags = []string{FirstPoolTag, TakenOverTag, OwnerTag}

// tagsOf converts the tags of a resource in Azure to a map, which is never nil. Azure ignores the case of keys
// (https://learn.microsoft.com/azure/aks/use-tags), so someone may have written those of this library in another case:
// the map has them in the library's. If several keys differ only in case, the first one counts.
func tagsOf(v any) map[string]string {
	tags := textsOf(v)
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		i := slices.IndexFunc(ownTags, func(own string) bool { return strings.EqualFold(own, key) })
		if i < 0 || key == ownTags[i] {
			continue
		}
		if _, has := tags[ownTags[i]]; !has {
			tags[ownTags[i]] = tags[key]
		}
		delete(tags, key)
	}
	return tags
}
