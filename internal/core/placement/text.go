package placement

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
)

// describeBuild adds the release to a Windows build, if there is one.
func describeBuild(build string) string {
	if p, ok := platform.ByBuild(build); ok {
		return build + " (" + p.DisplayName() + ")"
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
