package lab

import (
	"os/exec"
	"strings"
	"testing"
)

// Each of these packages takes a minute or more to compile, and up to 5 GB. The architecture test of
// the root module keeps azure-native's out of the default stack's program too.
func TestTheCommandsCompileNoSDKOfNetworksAndMachines(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "./cmd/...")
	var report strings.Builder
	cmd.Stderr = &report
	listed, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &report)
	}
	all := string(listed)
	if !strings.Contains(all, "/internal/azuresim/arm\n") {
		t.Errorf("the list is not that of the commands:\n%s", all)
	}
	for line := range strings.Lines(all) {
		for _, banned := range []string{
			"github.com/pulumi/pulumi-azure-native-sdk/network", "github.com/pulumi/pulumi-azure-native-sdk/compute",
			"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/network",
			"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/compute",
		} {
			if strings.HasPrefix(line, banned+"/") {
				t.Errorf("a command of the lab imports %s", line)
			}
		}
	}
}
