package tools

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// newCommands returns a bench whose go is a script, in a checkout with the SDKs.
func newCommands(t *testing.T, body string) bench {
	t.Helper()
	b := newBench(t)
	write(t, filepath.Join(b.Root, "go.mod"), "module "+modulePath+`

require (
	github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3 v3.23.0
	github.com/pulumi/pulumi-command/sdk v1.1.0
)
`)
	b.script("go", body)
	return b
}

func TestCommandsAreBuiltFromTheCheckout(t *testing.T) {
	t.Parallel()
	// The first time, go prints where it linked the program, and deletes the program when it ends.
	b := newCommands(t, `[ "$1" = env ] && echo -mod=vendor && exit
built="$PWD/built"
[ -e "$built" ] || { touch "$built"; chmod +x "$built"; echo /gone; exit; }
[ "$* $GOFLAGS $CGO_ENABLED $GOWORK" = "run -exec echo . `+ownFlags()+` -buildvcs=false 0 off" ] && echo "$built"`)
	cmds := filepath.Join(b.Root, "internal", "lab", "cmd")
	for _, own := range ownCommands() {
		write(t, filepath.Join(cmds, own.name, "main.go"), "package main\n")
	}
	got, err := b.Commands(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []Command{
		{"pulumi-resource-azure-native", filepath.Join(cmds, "pulumi-resource-azure-native", "built"), "v3.23.0"},
		{"pulumi-resource-command", filepath.Join(cmds, "pulumi-resource-command", "built"), "v1.1.0"},
		{"az", filepath.Join(cmds, "az", "built"), ""},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	// They are built once in a process.
	b.script("go", "exit 1")
	if again, err := b.Commands(t.Context()); err != nil || !slices.Equal(again, want) {
		t.Errorf("got %q, %v", again, err)
	}
}

func TestCommandsThatCannotBeBuilt(t *testing.T) {
	t.Parallel()
	broken := newCommands(t, `[ "$1" = env ] && exit
echo "main.go:1: oops" >&2; exit 1`)
	without := newCommands(t, "exit 0")
	without.environ = []string{"PATH=/nowhere"}
	unknown := newCommands(t, "exit 0")
	write(t, filepath.Join(unknown.Root, "go.mod"), "module "+modulePath+"\n")
	lost := newCommands(t, "echo /gone")
	for _, b := range []bench{broken, lost} {
		write(t, filepath.Join(b.Root, "internal", "lab", "cmd", "pulumi-resource-azure-native", "main.go"),
			"package main\n")
	}
	for _, test := range []struct {
		name string
		b    bench
		want string
	}{
		{"it does not compile", broken, "cmd/pulumi-resource-azure-native: `go run -exec echo .` in "},
		{
			"its result is lost", lost,
			"cmd/pulumi-resource-azure-native: go does not keep it in its cache, the directory of `go env GOCACHE`",
		},
		{"its reason is shown", broken, "main.go:1: oops"},
		{"there is no Go", without, "cmd/pulumi-resource-azure-native: go is not on PATH: install Go"},
		{
			"the SDK to simulate is not required", unknown, filepath.Join(unknown.Root, "go.mod") +
				" does not require github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3, which says what to " +
				"simulate: run go mod tidy",
		},
	} {
		if _, err := test.b.Commands(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
}
