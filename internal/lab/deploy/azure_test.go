package deploy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

func TestAStackInAzureFindsItsCommands(t *testing.T) {
	t.Setenv("PATH", "/usr/bin:/bin")
	s := newStack(t, initStack+`env | grep -E '^(KUBECONFIG|MIXEDKUBE_AZURE.*|PATH)=' | sort`)
	s.Azure = &Azure{Dir: "/lab/azure", Commands: []tools.Command{
		{Name: "pulumi-resource-azure-native", Path: "/built/azure-native", Version: "v3.16.0"},
		{Name: "az", Path: "/built/az"},
	}}
	if err := s.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(s.Out.(*strings.Builder).String(), s.Dir, "DIR")
	want := `KUBECONFIG=DIR/no-kubeconfig
MIXEDKUBE_AZURE_DIR=/lab/azure
MIXEDKUBE_AZURE_KUBECONFIG=/lab/kubeconfig
PATH=DIR/bin:/usr/bin:/bin
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the CLI (-want +got):\n%s", diff)
	}
	for link, want := range map[string]string{
		"home/plugins/resource-azure-native-v3.16.0/pulumi-resource-azure-native": "/built/azure-native",
		"home/plugins/resource-kubernetes-v4.25.0/pulumi-resource-kubernetes":     "/tools/plugin",
		"bin/az": "/built/az",
	} {
		if got, err := os.Readlink(filepath.Join(s.Dir, link)); err != nil || got != want {
			t.Errorf("%s is %s (%v), want %s", link, got, err, want)
		}
	}
}
