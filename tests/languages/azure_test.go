package languages

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/leaks"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// TestAComponentTakesTheOutputsOfAnother deploys the lab's stack in the simulated Azure. The topology and the
// kubeconfig of the cluster are inputs of the RuntimeClasses and workloads in it. Without -all, it runs
// the program in one language.
func TestAComponentTakesTheOutputsOfAnother(t *testing.T) {
	t.Parallel()
	for _, language := range sample.Of(t, languages, 1) {
		t.Run(language, func(t *testing.T) { newAzureStack(t, language).run(t) })
	}
}

// azureStack is a stack in the simulated Azure.
type azureStack struct {
	lab   labtest.Lab
	stack *deploy.Stack
	// records is a directory with Pulumi's output, a file for each run.
	records string
	secrets []leaks.Secret
}

// newAzureStack returns the lab's stack with its program in a language.
func newAzureStack(t *testing.T, language string) *azureStack {
	t.Helper()
	l := labtest.Empty(t, lab.Options{Stack: "lab", Program: language})
	stack, err := l.Deployment(t.Context())
	labtest.Available(t, "the stack's program in "+language, err)
	s := &azureStack{lab: l, records: t.TempDir(), secrets: leaks.OfKubeconfig(t, l.Kubeconfig())}
	s.use(t, stack, stackconfig.KeyWindowsPassword)
	return s
}

// use sets a password in a stack, and continues with it.
func (s *azureStack) use(t *testing.T, stack *deploy.Stack, key string) {
	t.Helper()
	password := "Shop-" + rand.Text() + "-9z"
	if err := stack.SetSecret(t.Context(), key, password); err != nil {
		t.Fatal(err)
	}
	s.stack = stack
	s.secrets = append(s.secrets, leaks.Secret{Name: "password of " + stack.Project.Name, Text: password})
}

// logged returns the flags that show the log, which the test searches for secrets. The log of programs in
// TypeScript contains secrets, as Pulumi's SDK writes all responses of the engine to it
// (runtime/resource.js of @pulumi/pulumi).
func (s *azureStack) logged() []string {
	if s.stack.Project.Runtime == "nodejs" {
		return nil
	}
	return []string{"--logtostderr", "-v=8"}
}

// step runs a command of Pulumi, and returns its output, without the log.
func (s *azureStack) step(t *testing.T, command string, args ...string) string {
	t.Helper()
	var text bytes.Buffer
	s.stack.Out = &text
	run := map[string]func(context.Context, ...string) error{
		"preview": s.stack.Preview, "up": s.stack.Up, "destroy": s.stack.Destroy,
	}[command]
	failed := run(t.Context(), args...)
	runs, err := os.ReadDir(s.records)
	if err != nil {
		t.Fatal(err)
	}
	record := fmt.Sprintf("%d-%s-%s", len(runs), s.stack.Project.Name, command)
	if err := os.WriteFile(filepath.Join(s.records, record), text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for line := range strings.Lines(text.String()) {
		if !strings.HasPrefix(line, `{"time":`) {
			shown.WriteString(line)
		}
	}
	if failed != nil {
		t.Fatalf("%v\n%s", failed, shown.String())
	}
	return shown.String()
}

func (s *azureStack) run(t *testing.T) {
	t.Helper()
	preview := s.step(t, "preview", "--diff")
	labtest.Contains(t, preview,
		// The topology is known before the cluster exists.
		"iis-2022 → win22 (2 nodes)", "iis-2025 → win25 (2 nodes)", `runtimeClassName: "windows-2025"`,
		"resourceGroupName  : [unknown]", "kubeconfig: [unknown]", "adminPassword: [secret]")
	// At level 9 and higher, Pulumi itself logs every value that it sends, including secrets.
	s.step(t, "up", append(s.logged(), "--skip-preview", "--diff")...)
	s.lab.Settles(t)
	s.checkPools(t)
	labtest.Contains(t, s.step(t, "preview", "--diff", "--expect-no-changes"), "22 unchanged")
	s.checkSecrets(t)
	s.step(t, "destroy", "--skip-preview")
	s.checkNothing(t)
	s.checkSecrets(t)
}

// checkPools fails unless the pods of each workload run on the pool of its platform.
func (s *azureStack) checkPools(t *testing.T) {
	t.Helper()
	pods, err := s.lab.ClientOf(t).CoreV1().Pods(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pools := map[string]int{}
	for _, pod := range pods.Items {
		// The names of nodes begin with the pool's: akswin22d000000.
		pools[fmt.Sprintf("%s on %.8s", pod.Labels["app"], pod.Spec.NodeName)]++
	}
	want := map[string]int{"iis-2022 on akswin22": 2, "iis-2025 on akswin25": 2, "linux-web on aks-sysv": 2}
	if diff := cmp.Diff(want, pools); diff != "" {
		t.Errorf("pods (-want +got):\n%s", diff)
	}
}

// checkSecrets fails if a file of Pulumi, the plugin or Azure contains a secret.
func (s *azureStack) checkSecrets(t *testing.T) {
	t.Helper()
	// The control plane of the lab generates its keys itself.
	skip := func(path string) bool {
		return path == filepath.Dir(s.lab.Kubeconfig()) || leaks.OfPlugin.MatchString(path)
	}
	for _, found := range leaks.Find(t, []string{s.lab.Dir, s.records}, skip, s.secrets) {
		t.Error(found)
	}
	// The search covers the files that could have the secrets.
	found := strings.Join(leaks.Find(t, []string{s.stack.Dir, s.records}, nil, []leaks.Secret{
		{Name: "administrator", Text: "azureuser"},
	}), "\n")
	labtest.Contains(t, found, s.stack.Project.Name+"-up: administrator", "-preview: administrator",
		filepath.Join("backups", s.stack.Project.Name), filepath.Join("history", s.stack.Project.Name))
}

// checkNothing fails if Azure still has resources.
func (s *azureStack) checkNothing(t *testing.T) {
	t.Helper()
	state, err := os.ReadFile(filepath.Join(s.lab.AzureDir(), "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	labtest.Contains(t, string(state), `"resources": {}`)
}

// TestAPoolTakesTheIDsOfItsCluster deploys a pool that gets its cluster's IDs from the outputs of the cluster's
// component. Without -all, it runs the program in one language.
func TestAPoolTakesTheIDsOfItsCluster(t *testing.T) {
	t.Parallel()
	for _, language := range sample.Of(t, languages, 1) {
		t.Run(language, func(t *testing.T) { testIDs(t, newAzureStack(t, "yaml"), language) })
	}
}

func testIDs(t *testing.T, s *azureStack, language string) {
	t.Helper()
	config := filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
	if err := os.WriteFile(config, []byte("config:\n  azure-native:location: westeurope\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	program := labtest.WithPins(t, filepath.Join("programs", "ids", language), language)
	stack, err := s.lab.Project(t.Context(), program, "dev", config)
	labtest.Available(t, "the program in "+language, err)
	s.use(t, stack, "ids:windowsPassword")
	preview := s.step(t, "preview", "--diff")
	_, pool, _ := strings.Cut(preview, "mixedkube:aks:NodePool$azure-native:containerservice:AgentPool::win25")
	pool = strings.Join(strings.Fields(pool), " ")
	labtest.Contains(t, pool, "resourceGroupName: [unknown]", "resourceName : [unknown]", "cluster: [unknown]")
	s.step(t, "up", append(s.logged(), "--skip-preview", "--diff")...)
	got := outputs(t, stack)
	group := fmt.Sprint(got["cluster"])
	group = group[:strings.LastIndex(group, "/providers/")]
	id := group + "/providers/Microsoft.ContainerService/managedClusters/shop"
	want := map[string]any{"cluster": id, "pool": id + "/agentPools/" + fmt.Sprint(got["name"]), "name": got["name"]}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
	// Azure writes resourcegroups in lower case in the IDs of clusters.
	if !strings.HasPrefix(group, "/subscriptions/"+armclient.SubscriptionID+"/resourcegroups/shop-rg") {
		t.Errorf("the group is %s", group)
	}
	s.step(t, "preview", "--expect-no-changes")
	s.checkSecrets(t)
	s.step(t, "destroy", "--skip-preview")
	s.checkNothing(t)
}
