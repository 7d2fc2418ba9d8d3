package arm

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of tags (https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations).
const (
	maxTags         = 50
	longestTagName  = 512
	longestTagValue = 256
	reservedInTags  = `<,>,%,&,\,?,/`
)

// checkTags checks the tags of a resource. Codes and messages are those of Azure's commands for PowerShell, which
// repeat the checks of Azure Resource Manager (New-AzMigrateServerReplication).
func checkTags(body Body) error {
	tags, _ := body["tags"].(Body)
	if n := len(tags); n > maxTags {
		return refused("InvalidTags", "",
			"Too many tags specified. Requested tag count - '%d'. Maximum number of tags allowed - '%d'.", n, maxTags)
	}
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		value, _ := tags[name].(string)
		switch {
		case strings.ContainsAny(name, strings.ReplaceAll(reservedInTags, ",", "")):
			return refused("InvalidTagNameCharacters", "",
				"The tag names '%s' have reserved characters '%s' or control characters.", name, reservedInTags)
		case utf8.RuneCountInString(name) > longestTagName:
			return refused("InvalidTagName", "", "Tag key too large. Following tag name '%s' exceeded the maximum "+
				"length. Maximum allowed length for tag name - '%d' characters.", name, longestTagName)
		case utf8.RuneCountInString(value) > longestTagValue:
			return refused("InvalidTagValueLength", "", "Tag value too large. Following tag value '%s' exceeded the "+
				"maximum length. Maximum allowed length for tag value - '%d' characters.", value, longestTagValue)
		}
	}
	return nil
}
