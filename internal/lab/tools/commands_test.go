package tools

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// newCommands is a bench whose go is a script, in a checkout with the SDKs.
func newCommands(t *testing.T, body string) bench {
	t.Helper()
	b := newBench(t)
	write(t, filepath.Join(b.Root, "go.mod"), "module "+modulePath+`

require (
	github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3 v3.16.0
	github.com/pulumi/pulumi-command/sdk v1.1.0
)
`)
	b.script("go", body)
	return b
}

func TestCommandsAreBuiltAsTheyAreInTheCheckout(t *testing.T) {
	t.Parallel()
	b := newCommands(t, `[ "$1" = env ] && echo -mod=vendor && exit
echo "/cache/$3 $1 $2 $PWD $GOFLAGS $CGO_ENABLED"`)
	got, err := b.Commands(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	how := " tool -n " + filepath.Join(b.Root, "internal", "lab") + " " + ownFlags() + " -buildvcs=false 0"
	want := []Command{
		{"pulumi-resource-azure-native", "/cache/pulumi-resource-azure-native" + how, "v3.16.0"},
		{"pulumi-resource-command", "/cache/pulumi-resource-command" + how, "v1.1.0"},
		{"az", "/cache/az" + how, ""},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWhyThereAreNoCommands(t *testing.T) {
	t.Parallel()
	broken := newCommands(t, `[ "$1" = env ] && exit
echo "main.go:1: oops" >&2; exit 1`)
	without := newCommands(t, "exit 0")
	without.environ = []string{"PATH=/nowhere"}
	unknown := newCommands(t, "exit 0")
	write(t, filepath.Join(unknown.Root, "go.mod"), "module "+modulePath+"\n")
	for _, test := range []struct {
		name string
		b    bench
		want string
	}{
		{"it does not compile", broken, "build pulumi-resource-azure-native: "},
		{"its reason is shown", broken, "main.go:1: oops"},
		{"there is no Go", without, "build pulumi-resource-azure-native: go is not on PATH: install Go"},
		{
			"nobody knows what to simulate", unknown, filepath.Join(unknown.Root, "go.mod") +
				" does not require github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3, which says what to simulate: run go mod tidy",
		},
	} {
		if _, err := test.b.Commands(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
}
