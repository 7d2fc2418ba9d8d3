package placement

import (
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
)

// describe is a platform as people call it.
func describe(p platform.Platform) string {
	if release, ok := p.Release(); ok {
		return release.Name
	}
	return describeOS(p.OS())
}

// describeOS takes one of the two that there are.
func describeOS(os platform.OS) string {
	if os == platform.WindowsOS {
		return "Windows"
	}
	return "Linux"
}

// describeBuild adds the release to a Windows build, where there is one.
func describeBuild(build string) string {
	if p, ok := platform.ByBuild(build); ok {
		return build + " (" + describe(p) + ")"
	}
	return orEmpty(build)
}

// orEmpty is a value of a label or taint, which may be empty.
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
