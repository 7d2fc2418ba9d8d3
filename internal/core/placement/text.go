package placement

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
)

// describe returns the usual name of a platform.
func describe(p platform.Platform) string {
	if release, ok := p.Release(); ok {
		return release.Name
	}
	return describeOS(p.OS())
}

// describeOS returns the usual name of an operating system.
func describeOS(os platform.OS) string {
	if os == platform.WindowsOS {
		return "Windows"
	}
	return "Linux"
}

// describeBuild adds the release to a Windows build, if there is one.
func describeBuild(build string) string {
	if p, ok := platform.ByBuild(build); ok {
		return build + " (" + describe(p) + ")"
	}
	return orEmpty(build)
}

// orEmpty returns a value of a label or taint, "" in quotes if it is empty.
func orEmpty(value string) string {
	if value == "" {
		return `""`
	}
	return value
}

func joinOr(values []string, describe func(string) string) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = describe(value)
	}
	return strings.Join(texts, " or ")
}
