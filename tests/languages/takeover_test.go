package languages

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// takeoverStep is a program of programs/takeover with all its expected effects. Lists are texts with a line for each
// element.
type takeoverStep struct {
	program string
	// takesOver reports whether the preview must neither replace nor delete resources.
	takesOver bool
	// operations are the operations of Pulumi, nodes the nodes of the cluster after them. Default providers are without
	// their versions: a program in YAML has none.
	operations, nodes string
}

// plainSteps are the steps for a cluster that plain azure-native code has created.
var plainSteps = []takeoverStep{
	{
		program: "plain",
		operations: `
			create azure-native:containerservice:AgentPool batch
			create azure-native:containerservice:ManagedCluster shop
			create azure-native:resources:ResourceGroup group
			create pulumi:providers:azure-native default
			create pulumi:pulumi:Stack takeover-plain
		`,
		nodes: `
			aks-nodepool1-92759582-vmss000000 v1.35.7 Standard_D4s_v5
			aks-nodepool1-92759582-vmss000001 v1.35.7 Standard_D4s_v5
			aksbatch000000 v1.35.7 Standard_D4s_v5 team=batch
			akswin000000 v1.35.7 Standard_D4s_v5
		`,
	},
	{
		program: "adopted", takesOver: true,
		operations: `
			create mixedkube:aks:Cluster shop
			create pulumi:index:Stash shop-windows-admin
			create pulumi:providers:azure-native default
			create pulumi:providers:kubernetes shop-kubernetes
			create pulumi:providers:mixedkube default
			create pulumi:providers:pulumi default
			import azure-native:containerservice:AgentPool shop-win
			update azure-native:containerservice:AgentPool shop-batch
			update azure-native:containerservice:AgentPool shop-win
			update azure-native:containerservice:ManagedCluster shop-cluster
		`,
		nodes: `
			aks-nodepool1-92759582-vmss000000 v1.35.7 Standard_D4s_v5
			aks-nodepool1-92759582-vmss000001 v1.35.7 Standard_D4s_v5
			aksbatch000000 v1.35.7 Standard_D4s_v5 team=batch
			akswin000000 v1.35.7 Standard_D4s_v5
		`,
	},
	{
		program: "changed",
		operations: `
			create azure-native:containerservice:AgentPool shop-batch3
			create azure-native:containerservice:AgentPool shop-webd2x
			delete azure-native:containerservice:AgentPool shop-batch
			update azure-native:containerservice:AgentPool shop-win
		`,
		nodes: `
			aks-nodepool1-92759582-vmss000000 v1.35.7 Standard_D4s_v5
			aks-nodepool1-92759582-vmss000001 v1.35.7 Standard_D4s_v5
			aksbatch3000000 v1.35.7 Standard_D8s_v5 os=windows:NoSchedule
			akswebd2x000000 v1.35.7 Standard_D4s_v5 os=windows:NoSchedule
			akswin000000 v1.35.7 Standard_D4s_v5
			akswin000001 v1.35.7 Standard_D4s_v5
		`,
	},
}

// joined takes over a pool of a cluster that Pulumi has not created.
var joined = takeoverStep{
	program: "joined", takesOver: true,
	operations: `
		create mixedkube:aks:ExistingCluster shop
		create mixedkube:aks:NodePool win
		create pulumi:providers:azure-native default
		create pulumi:providers:kubernetes shop-kubernetes
		create pulumi:providers:mixedkube default
		create pulumi:pulumi:Stack takeover-joined
		import azure-native:containerservice:AgentPool win-win
		update azure-native:containerservice:AgentPool win-win
	`,
	nodes: `
		aks-nodepool1-92759582-vmss000000 v1.35.7 Standard_D4s_v5
		akswin000000 v1.35.7 Standard_D4s_v5 os=windows:NoSchedule
		akswin000001 v1.35.7 Standard_D4s_v5 os=windows:NoSchedule
	`,
}

// imported takes over the same cluster after pulumi import, which has created the stack. Its default provider has no
// version, and the one of the component replaces it.
var imported = takeoverStep{
	program: "imported", takesOver: true,
	operations: `
		create mixedkube:aks:Cluster shop
		create pulumi:index:Stash shop-windows-admin
		create pulumi:providers:azure-native default
		create pulumi:providers:kubernetes shop-kubernetes
		create pulumi:providers:mixedkube default
		create pulumi:providers:pulumi default
		delete pulumi:providers:azure-native default
		import azure-native:containerservice:AgentPool shop-win
		update azure-native:containerservice:AgentPool shop-win
		update azure-native:containerservice:ManagedCluster shop-cluster
	`,
	nodes: joined.nodes,
}

// TestTakeover follows docs/existing-clusters.md with its programs in other languages than Go: the preview of a
// takeover must not replace or delete anything, and the update must leave nothing to do. Without -all, it runs only
// the programs in YAML, and a preview of one in TypeScript.
func TestTakeover(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"yaml", "typescript", "python"} {
		if language != "yaml" && !sample.All() {
			continue
		}
		t.Run(language, func(t *testing.T) { testTakeover(t, language) })
	}
}

func testTakeover(t *testing.T, language string) {
	t.Helper()
	s := takeover{lab: labtest.Empty(t, lab.Options{Stack: "lab"}), configs: t.TempDir()}
	s.start(t)
	t.Run("created by plain azure-native code", func(t *testing.T) {
		for _, step := range plainSteps {
			stack := s.in(t, "plain", step.program, language)
			if step.program == "plain" {
				setPassword(t, stack)
			}
			s.run(t, stack, step)
			if step.program == "adopted" && language == "yaml" {
				t.Run("unchanged in typescript", func(t *testing.T) {
					stack := s.in(t, "plain", step.program, "typescript")
					timed(t, "preview", func() error {
						return stack.Preview(t.Context(), "--diff", "--expect-no-changes")
					})
				})
			}
		}
	})
	if err := os.RemoveAll(s.lab.AzureDir()); err != nil {
		t.Fatal(err)
	}
	s.start(t)
	labtest.MakeShop(t, s.lab.AzureDir())
	t.Run("created without Pulumi", func(t *testing.T) {
		stack := s.in(t, "joined", joined.program, language)
		s.run(t, stack, joined)
		s.must(t, stack.Destroy, "--skip-preview")
		// The imported pool stays: the program retains it.
		labtest.SameLines(t, "nodes", joined.nodes, labtest.NodeLines(t, s.lab.ClientOf(t)))
	})
	t.Run("imported", func(t *testing.T) {
		stack := s.in(t, "imported", imported.program, language)
		setPassword(t, stack)
		s.must(t, stack.Import, "azure-native:containerservice:ManagedCluster", "shop", labtest.ShopID,
			"--generate-code=false")
		s.run(t, stack, imported)
	})
}

// takeover is a lab with the stacks of the programs of programs/takeover.
type takeover struct {
	lab labtest.Lab
	// configs is a directory with the configurations.
	configs string
}

// start starts the lab with an empty Azure.
func (s takeover) start(t *testing.T) {
	t.Helper()
	if err := s.lab.Start(t.Context(), lab.Options{Stack: "lab"}); err != nil {
		t.Fatal(err)
	}
}

// in returns a stack with a program in a language, until the next call. The programs have the same name, so one of them
// can continue the stack of another.
func (s takeover) in(t *testing.T, name, program, language string) *deploy.Stack {
	t.Helper()
	config := filepath.Join(s.configs, "Pulumi."+name+".yaml")
	text := "config:\n  azure-native:location: westeurope\n  takeover:clusterID: " + labtest.ShopID + "\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := labtest.WithPins(t, filepath.Join("programs", "takeover", program, language), language)
	addAzureNative(t, dir, language)
	stack, err := s.lab.Project(t.Context(), dir, name, config)
	labtest.Available(t, "the program in "+language, err)
	// tests/sdks does not check the types of programs with azure-native.
	stack.Environment = append(stack.Environment, "PULUMI_NODEJS_TRANSPILE_ONLY=false")
	for _, c := range stack.Azure.Commands {
		if c.Name == "pulumi-resource-azure-native" {
			stack.Azure.Commands = append(slices.Clone(stack.Azure.Commands),
				tools.Command{Name: c.Name, Path: c.Path, Version: "v" + azureNative})
		}
	}
	return stack
}

// azureNative is the version of azure-native's package for programs in TypeScript and Python. The resources of the
// components have a version of their own.
const azureNative = "3.24.0"

// addAzureNative adds azure-native's package to the pins of a program. Other programs of tests do not import it: it
// takes more than 100 MB.
func addAzureNative(t *testing.T, dir, language string) {
	t.Helper()
	switch language {
	case "typescript":
		path := filepath.Join(dir, "package.json")
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var manifest map[string]any
		if err := json.Unmarshal(content, &manifest); err != nil {
			t.Fatal(err)
		}
		manifest["dependencies"].(map[string]any)["@pulumi/azure-native"] = azureNative
		if content, err = json.Marshal(manifest); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		// The lock file does not have the package.
		if err := os.Remove(filepath.Join(dir, "package-lock.json")); err != nil {
			t.Fatal(err)
		}
	case "python":
		path := filepath.Join(dir, "requirements.txt")
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		content = append(content, "pulumi-azure-native=="+azureNative+"\n"...)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func setPassword(t *testing.T, stack *deploy.Stack) {
	t.Helper()
	if err := stack.SetSecret(t.Context(), "takeover:windowsPassword", "Correct-Horse-Battery-9"); err != nil {
		t.Fatal(err)
	}
}

// must runs a command, and returns its output. It fails if the command fails.
func (s takeover) must(
	t *testing.T, command func(context.Context, ...string) error, args ...string,
) string {
	t.Helper()
	s.lab.Out.Take()
	err := command(t.Context(), args...)
	output := s.lab.Out.Take()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return output
}

// run runs the program of a step.
func (s takeover) run(t *testing.T, stack *deploy.Stack, step takeoverStep) {
	t.Helper()
	preview := s.must(t, stack.Preview, "--diff")
	if found := labtest.Removals.FindAllString(preview, -1); step.takesOver && found != nil {
		t.Errorf("the preview of %s has %q:\n%s", step.program, found, preview)
	}
	var done []string
	up := func() (string, error) {
		events, args := labtest.EventLog(t)
		s.lab.Out.Take()
		err := stack.Up(t.Context(), append(args, "--skip-preview", "--diff")...)
		done = append(done, labtest.Operations(t, events)...)
		return s.lab.Out.Take(), err
	}
	output, err := up()
	if err != nil && strings.Contains(output, "OperationNotAllowed") && step.program == "plain" {
		// Plain azure-native code does not retry, and Azure may still be busy with the cluster.
		output, err = up()
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", step.program, err, output)
	}
	for i, operation := range done {
		done[i] = versions.ReplaceAllString(operation, "$1")
	}
	slices.Sort(done)
	labtest.SameLines(t, "operations of "+step.program, step.operations, done)
	labtest.SameLines(t, "nodes after "+step.program, step.nodes, labtest.NodeLines(t, s.lab.ClientOf(t)))
	s.must(t, stack.Preview, "--diff", "--expect-no-changes")
}

// versions matches the version, and the place of the plugin, in the name of a default provider.
var versions = regexp.MustCompile(`( default)_\S+$`)
