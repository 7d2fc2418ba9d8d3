package pulumicommand

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
)

func TestInputsMatchTheSDK(t *testing.T) {
	t.Parallel()
	var want []string
	for field := range (local.CommandArgs{}).ElementType().Fields() {
		tag, _, _ := strings.Cut(field.Tag.Get("pulumi"), ",")
		want = append(want, tag)
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(kinds))); diff != "" {
		t.Errorf("inputs (-SDK +table):\n%s", diff)
	}
}
