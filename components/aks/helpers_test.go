package aks_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/core/topology"
)

// The messages that tests compare are those of one fixed day.
var _ = os.Setenv("SOURCE_DATE_EPOCH", "1767225600")

const (
	clusterType = "azure-native:containerservice:ManagedCluster"
	poolType    = "azure-native:containerservice:AgentPool"
	commandType = "command:local:Command"
	password    = "Correct-Horse-Battery-9"
	refused     = "iloveyou!"
)

// small returns the arguments of a valid cluster with two pools, changed by a test.
func small(change func(*aks.ClusterArgs)) *aks.ClusterArgs {
	args := &aks.ClusterArgs{
		KubernetesVersion: "1.35",
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3, Size: "Standard_D4s_v5"},
			{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D4s_v5"},
		},
		WindowsAdmin: aks.WindowsAdmin{Password: pulumi.String(password)},
	}
	if change != nil {
		change(args)
	}
	return args
}

// newCluster returns a program with one cluster.
func newCluster(args *aks.ClusterArgs) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := aks.NewCluster(ctx, "shop", args)
		return err
	}
}

// names returns the names of the resources of a type, in order.
func names(graph *mocktest.Graph, typ string) []string {
	var names []string
	for _, r := range graph.ByType(typ) {
		names = append(names, r.Name)
	}
	return names
}

// azure returns akstest.Azure, which also answers for the stash of the Windows administrator, with its first input.
func azure(began map[string]any, clusters ...akstest.Cluster) mocktest.Option {
	return mocktest.All(akstest.Azure(clusters...), mocktest.Outputs(func(r mocktest.Resource) resource.PropertyMap {
		if r.Type == "pulumi:index:Stash" && began != nil {
			return resource.PropertyMap{"output": resource.MakeSecret(resource.NewPropertyValue(began))}
		}
		return akstest.Outputs(r)
	}))
}

// stashed returns the input of the stash of the Windows administrator, secrets included.
func stashed(t *testing.T, graph *mocktest.Graph) map[string]any {
	t.Helper()
	in := graph.MustGet(t, "pulumi:index:Stash", "shop-windows-admin").Inputs["input"]
	for in.IsSecret() {
		in = in.SecretValue().Element
	}
	if !in.IsObject() || in.ContainsSecrets() {
		t.Fatalf("the input of the stash is %v", in)
	}
	return in.ObjectValue().Mappable()
}

// madeWith returns the content of the stash for a cluster that was created with a password, and with other settings if
// there are any.
func madeWith(t *testing.T, password string, settings ...string) map[string]any {
	t.Helper()
	args := small(func(a *aks.ClusterArgs) { a.WindowsAdmin.Password = pulumi.String(password) })
	began := stashed(t, mocktest.MustRun(t, newCluster(args), akstest.Azure()))
	for _, s := range settings {
		began["settings"] = s
	}
	return began
}

// typed returns a command in which its environment variables are replaced by their values.
func typed(t *testing.T, command mocktest.Resource, property string) string {
	t.Helper()
	in := command.Plain()
	environment, _ := in["environment"].(map[string]any)
	return variable.ReplaceAllStringFunc(in[property].(string), func(name string) string {
		value, ok := environment[strings.Trim(name, `"$`)].(string)
		if !ok {
			t.Errorf("%s has no %s in its environment", command, name)
		}
		return value
	})
}

var variable = regexp.MustCompile(`"\$([A-Z_]+)"`)

// everyMessage returns the log.
func everyMessage(graph *mocktest.Graph) []string {
	var texts []string
	for _, log := range graph.Logs() {
		texts = append(texts, log.Severity+": "+log.Message)
	}
	return texts
}

// messages returns the log except that everyone can connect to the API server, which is so in most tests.
func messages(graph *mocktest.Graph) []string {
	var texts []string
	for _, text := range everyMessage(graph) {
		if !strings.HasSuffix(text, "(MK770)") {
			texts = append(texts, text)
		}
	}
	return texts
}

func equal(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// brief returns texts without the sentences of rules and of package topology: their own tests have them.
func brief(texts ...string) string {
	return ofTopology.ReplaceAllString(ruletest.WithoutSentences(strings.Join(texts, "\n")), "$1 …")
}

var ofTopology = regexp.MustCompile(`(?m)(\bpools?(?:\[\d+\])?\.\S+: \w+ value: \S+:) .*`)

// wantError compares an error, except sentences.
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	equal(t, "the error", want, brief(fmt.Sprint(err)))
}

func mentions(text string, secrets ...string) []string {
	var found []string
	for _, secret := range secrets {
		for _, form := range []string{secret, base64.StdEncoding.EncodeToString([]byte(secret))} {
			if strings.Contains(text, form) {
				found = append(found, form)
			}
		}
	}
	return found
}

// idOf returns the ID of a resource, after the namespace of its type.
func idOf(below string) string {
	return "/subscriptions/s/resourceGroups/rg/providers/Microsoft." + below
}
