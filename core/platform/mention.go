package platform

import (
	"regexp"
	"slices"
	"strings"
)

// windowsHint matches words that usually mean Windows in the names of images, but can mean something else.
var windowsHint = regexp.MustCompile(`windows|servercore|nanoserver|^win[0-9]*$|^ltsc[0-9]{4}$`)

// MentionsWindows reports whether the repository or the tag of an image mentions Windows: by windows, servercore or
// nanoserver in any word, or by a word such as win, win2019 or ltsc2022. This is a reason to look closer and proves
// nothing: shop/iis-windows is most likely for Windows, and dockurr/windows is for Linux. Use [FromImage] to decide.
// MentionsWindows returns false for a malformed reference.
func MentionsWindows(ref string) bool {
	parsed, ok := parseReference(ref)
	return ok && slices.ContainsFunc(append(parsed.path, parsed.tag), func(part string) bool {
		words := strings.FieldsFunc(strings.ToLower(part), func(r rune) bool { return strings.ContainsRune("-_.", r) })
		return slices.ContainsFunc(words, windowsHint.MatchString)
	})
}
