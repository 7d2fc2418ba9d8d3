package platform

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// UnknownError means that a value does not name a platform. [Parse] and the text methods of [Platform] return it; find
// it with [errors.As].
type UnknownError struct {
	// Value is the value as it was written.
	Value string
	// Nearest is the most similar platform; "" if none is similar.
	Nearest Platform
}

// Error returns a message with the value, the most similar platform, and all valid ones.
func (e *UnknownError) Error() string {
	hint := ""
	if e.Nearest != "" {
		hint = fmt.Sprintf(" did you mean %q?", e.Nearest)
	}
	return fmt.Sprintf("unknown platform %q:%s valid platforms are %s", e.Value, hint, Join(All()))
}

// Parse returns the platform that s names. Upper and lower case count as equal.
// It accepts
//
//   - the canonical names: linux, windows-2016, …, windows-2025;
//   - container tags: ltsc2022, 1809, 20H2, alone or after "windows-";
//   - the version 23H2, which has no container tag;
//   - builds, with or without revision: 10.0.20348, 10.0.20348.2340;
//   - product names: Windows Server 2019, Windows Server 2019 (1809),
//     Windows Server, version 20H2, Windows Server 2022 Datacenter;
//   - the OS SKUs of AKS for Windows: Windows2019, Windows2022, Windows2025, and
//     WindowsAnnual, which is 23H2.
//
// "windows" alone names no platform: a Windows container needs a certain
// release. The error is an [*UnknownError].
func Parse(s string) (Platform, error) {
	// A product name may have been written with more than one space.
	value := strings.ToLower(strings.Join(strings.Fields(s), " "))
	for _, p := range All() {
		if slices.Contains(spellings(p), value) {
			return p, nil
		}
	}
	if p, ok := ByBuild(value); ok {
		return p, nil
	}
	if p, ok := byProductName(value); ok {
		return p, nil
	}
	return "", unknown(s)
}

// aksOSSKUs are the values of osSKU of an AKS agent pool that mean Windows.
// Source: https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update
var aksOSSKUs = map[Platform]string{
	WindowsServer2019: "windows2019",
	WindowsServer2022: "windows2022",
	WindowsServer23H2: "windowsannual",
	WindowsServer2025: "windows2025",
}

// spellings returns the fixed words for a platform, in lower case, the
// canonical name first.
func spellings(p Platform) []string {
	words := []string{string(p)}
	if r := find(p); r != nil {
		for _, tag := range r.Tags {
			tag = strings.ToLower(tag)
			words = append(words, tag, "windows-"+tag)
		}
		if r.Channel != LTSC {
			words = append(words, version(p))
		}
	}
	if sku, ok := aksOSSKUs[p]; ok {
		words = append(words, sku)
	}
	return words
}

// version returns the part of the canonical name of a Windows platform that identifies the release: a year ("2019") or
// a version ("20h2").
func version(p Platform) string {
	return strings.TrimPrefix(string(p), "windows-")
}

// productName matches a product name in lower case: the release, then optionally the edition, as in the osImage of a
// node, then optionally the version.
var productName = regexp.MustCompile(
	`^windows server(?:,? version)? (\w+)(?: datacenter| standard)?(?: \((?:version )?(\w+)\)|, version (\w+))?$`,
)

func byProductName(value string) (Platform, bool) {
	match := productName.FindStringSubmatch(value)
	if match == nil {
		return "", false
	}
	for _, r := range releases {
		// Windows Server 2019 is also version 1809. If both words are present, both must be right.
		isRelease := func(word string) bool {
			return word == "" || word == version(r.Platform) || isNumber(word) && slices.Contains(r.Tags, word)
		}
		if isRelease(match[1]) && isRelease(match[2]) && isRelease(match[3]) {
			return r.Platform, true
		}
	}
	return "", false
}

// unknown returns the error for a value, with the most similar platform.
func unknown(value string) *UnknownError {
	// Canonical names come first: if several words are equally similar, the first one wins.
	words := names(All())
	meaning := make(map[string]Platform)
	for _, p := range All() {
		// A year alone does not name a platform, but its meaning is clear.
		others := append(spellings(p), version(p))
		if r := find(p); r != nil {
			others = append(others, r.Name)
		}
		for _, word := range others {
			meaning[word] = p
		}
		words = append(words, others...)
	}
	word, _ := fielderrors.Nearest(value, words)
	return &UnknownError{Value: value, Nearest: meaning[word]}
}

func names(platforms []Platform) []string {
	list := make([]string, len(platforms))
	for i, p := range platforms {
		list[i] = string(p)
	}
	return list
}
