package architecture_test

import (
	"slices"
	"strings"
)

const (
	module = "github.com/mixedkube/mixedkube"
	// pulumiProtocol has the messages between Pulumi's engine and its plugins.
	pulumiProtocol = "github.com/pulumi/pulumi/sdk/v3/proto/go"
	azureNative    = "github.com/pulumi/pulumi-azure-native-sdk"
	cobra          = "github.com/spf13/cobra"
	pflag          = "github.com/spf13/pflag"
	udiff          = "github.com/aymanbagabas/go-udiff"
	registries     = "github.com/google/go-containerregistry"
)

// A floor is a group of packages of this module, which the directory of a package tells. A package imports from its own
// floor and from lower ones. Patterns are relative to the module; "core/..." is everything below core, "." the package
// in the root.
type floor struct {
	name     string
	packages []string
	// rooms is how many rooms the floor may have, 0 if they are not counted. A room is what has the same name in all
	// directories of the floor: core/rule and internal/core/rule are the room rule.
	rooms int
}

// programs is the name of the floor with the command.
const programs = "programs"

// floors are the floors of the module, from the lowest to the highest. A package belongs to the first one that names
// it.
var floors = []floor{
	{name: "testkit", packages: []string{"internal/testkit/..."}, rooms: 5},
	{name: "core", packages: []string{"core/...", "internal/core/..."}, rooms: 16},
	{name: "machines", packages: []string{"machines/..."}, rooms: 2},
	{name: "system", packages: []string{"system/...", "internal/system/..."}, rooms: 7},
	{name: "components", packages: []string{"components/...", "internal/components/..."}, rooms: 20},
	{name: programs, packages: []string{"internal/..."}, rooms: 4},
	{name: "stacks", packages: []string{"stacks/..."}},
	{name: "examples", packages: []string{"examples/..."}},
	{name: "main", packages: []string{"."}},
}

// publicFloors are the directories of packages that other modules can import.
var publicFloors = []string{"core", "machines", "system", "components"}

// A ban forbids packages to import others, directly or indirectly, and forbids
// their tests to import them directly.
type ban struct {
	packages, except []string
	imports          func(path string) bool
	// direct limits the ban to direct imports, and sparesTests to the packages without their tests.
	direct, sparesTests bool
	why                 string
}

// deciding are the packages that decide: they take values, bytes and file systems, and return values.
var deciding = []string{
	"core/...", "internal/core/...", "machines/...", "internal/clustermap", "internal/svg", "internal/testkit/payload",
}

var bans = []ban{
	{
		// Package ruletest is for tests, which read and write their golden files.
		packages: deciding, except: []string{"core/rule/ruletest"}, direct: true, sparesTests: true,
		imports: oneOf("os", "os/exec", "os/signal", "os/user", "net", "net/http", "syscall", "io/ioutil", "log"),
		why: "what decides takes bytes, a reader or an fs.FS: internal/system/userfiles finds, reads and writes the " +
			"files of users",
	},
	{
		// Reports write the paths of files relative to a directory of this machine, without looking at them.
		packages: deciding, except: []string{"core/report", "core/rule/ruletest"}, direct: true, sparesTests: true,
		imports: oneOf("path/filepath"),
		why:     "what decides does not know which slashes the system has: use path, and internal/system/userfiles",
	},
	{
		packages: []string{"internal/clustermap", "internal/svg"},
		direct:   true, sparesTests: true,
		imports: func(path string) bool { return relative(path) != path && !matches(deciding, path) },
		why:     "what decides imports only what decides, so that no other package reads or writes for it",
	},
	{
		packages: []string{
			"internal/testkit/...", "core/...", "internal/core/...", "machines/...", "system/...",
			"internal/system/...",
			"internal/cli/sources", "internal/clustermap", "internal/svg", "components/kubeadm/internal/...",
		},
		imports: func(path string) bool { return strings.Contains(path, "pulumi") },
		why:     "pure packages do not depend on Pulumi",
	},
	{
		// The tests of the pack compare it with the SDK.
		packages: []string{"internal/cli", "."},
		imports: func(path string) bool {
			return strings.Contains(path, "pulumi") && !below(pulumiProtocol)(path)
		},
		why: "the command has the policy pack, which speaks Pulumi's protocol, and no other part of Pulumi: " +
			"its SDK adds 384 packages to the 495 of the command",
	},
	{
		packages: []string{"..."},
		imports: below(module+"/internal/azuresim", module+"/internal/lab", module+"/tests", "k8s.io/kubernetes",
			"sigs.k8s.io/kwok", "github.com/pulumi/pulumi/pkg"),
		why: "heavy dependencies stay in the nested modules, so that importers of a component do not pay for them",
	},
	{
		// Pulumi's SDK imports cobra itself.
		packages: []string{"..."}, except: []string{"internal/cli"}, direct: true,
		imports: below(cobra, pflag),
		why:     "the root go.mod requires it for the command only",
	},
	{
		packages: []string{"..."}, except: []string{"internal/cli", "internal/testkit/golden"}, direct: true,
		imports: below(udiff),
		why:     "the root go.mod requires it for the command, and for the tests",
	},
	{
		packages: []string{"..."},
		except:   []string{"system/registry", "internal/cli", "."},
		imports:  below(registries, module+"/system/registry"),
		why: "rules, previews and programs do not query registries: they get facts from the lock file, which the " +
			"command writes",
	},
	{
		// One package builds kustomizations, and only the command imports it.
		packages: []string{"..."}, except: []string{"internal/cli/kustomize", "internal/cli", "."},
		imports: below("sigs.k8s.io/kustomize", module+"/internal/cli/kustomize"),
		why: "kustomize and what it requires are large: importers of components compile none of it, and its " +
			"library fetches addresses and runs programs unless the package refuses it",
	},
	{
		packages: []string{"core/...", "machines/...", "system/...", "components/...", "internal/..."},
		except:   []string{"components/aks/...", "components/kubeadm/..."},
		imports:  below(azureNative),
		why: "azure-native costs minutes and gigabytes to compile: only packages that register Azure resources " +
			"import it",
	},
	{
		packages: []string{"components/aks/..."},
		imports:  below(azureNative+"/network", azureNative+"/compute"),
		why:      "network costs 95 s and 5 GB to compile, and AKS takes networks by their IDs",
	},
	{
		packages: []string{"stacks"},
		imports:  below(azureNative+"/network", azureNative+"/compute"),
		why: "it is the program of the default `make up`; what needs networks and virtual machines goes into " +
			"stacks/kubeadm",
	},
	{
		// Its tests may create the classes that its workloads name.
		packages: []string{"components/workload"},
		imports:  below("github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/node"),
		why: "a workload names RuntimeClasses, as topology does, and registers none: its importers do not " +
			"compile the SDK's node",
	},
	{
		packages: []string{
			"core/...", "internal/core/...", "machines/...", "system/...", "internal/system/...",
			"components/...", "internal/components/...", "internal/cli/...", "internal/clustermap", "internal/policy",
			"internal/svg", "stacks/...", "examples/...", ".",
		},
		except: []string{
			"core/rule/ruletest", "components/aks/akstest", "components/guard/guardtest",
			"components/kubeadm/kubeadmtest", "components/mocktest/...", "stacks/stacktest",
			"examples/internal/exampletest",
		},
		direct: true, sparesTests: true,
		imports: below("testing", module+"/internal/testkit", module+"/components/mocktest"),
		why:     "packages for tests are for tests: programs do not compile them",
	},
	{
		packages: []string{"stacks/...", "examples/..."},
		imports: func(path string) bool {
			at := floorOf(floors, path)
			return at >= 0 && floors[at].name == programs
		},
		why: "the command is a program, and no library of others",
	},
}

// allowedRequirements are the modules that the root go.mod may require
// directly, and why. Everyone who imports a component gets them.
var allowedRequirements = map[string]string{
	udiff:                                  "mixedkube adopt shows differences: a small module that requires no other",
	cobra:                                  "the command line of mixedkube; Pulumi's SDK requires it anyway",
	pflag:                                  "suggestions for an unknown flag; cobra requires it anyway",
	registries:                             "mixedkube images queries registries; it does not require Docker's client",
	"github.com/BurntSushi/toml":           "the configuration of GitLab Runner; Pulumi's SDK requires it anyway",
	"github.com/google/go-cmp":             "tests compare whole values",
	azureNative + "/authorization/v3":      "role assignments of examples: it requires nothing that the others do not",
	azureNative + "/containerservice/v3":   "the resources of AKS",
	azureNative + "/compute/v3":            "virtual machines",
	azureNative + "/network/v3":            "the networks of virtual machines",
	azureNative + "/resources/v3":          "resource groups",
	"github.com/pulumi/pulumi-command/sdk": "the Azure CLI, for changes that azure-native cannot make in place",
	"github.com/pulumi/pulumi-kubernetes/sdk/v4": "the Kubernetes resources",
	"github.com/pulumi/pulumi/sdk/v3":            "the components",
	"golang.org/x/crypto":                        "scrypt, for configured secrets; Pulumi's SDK requires it anyway",
	"golang.org/x/net":                           "the domains of registries; Pulumi's SDK requires it anyway",
	"golang.org/x/sys":                           "the memory limit of helm; Pulumi's SDK requires it anyway",
	"google.golang.org/grpc":                     "mocktest stands in for the engine, and the policy pack talks to it",
	"google.golang.org/protobuf":                 "mocktest stands in for the engine, and the policy pack talks to it",
	"gopkg.in/yaml.v3":                           "stack configuration and manifests",
	"k8s.io/api":                                 "taints, tolerations and labels",
	"k8s.io/apimachinery":                        "field errors and quantities",
	"k8s.io/component-helpers":                   "tolerations and node affinity, matched as the scheduler does",
	"sigs.k8s.io/kustomize/api": "the command builds kustomizations; no version of another module " +
		"changes",
	"sigs.k8s.io/kustomize/kyaml": "the files of these builds; kustomize's API requires it anyway",
}

func oneOf(paths ...string) func(string) bool {
	return func(path string) bool { return slices.Contains(paths, path) }
}

func below(prefixes ...string) func(string) bool {
	return func(path string) bool {
		for _, prefix := range prefixes {
			// A major version or a package is set off by a slash.
			if path == prefix || strings.HasPrefix(path, prefix+"/") {
				return true
			}
		}
		return false
	}
}
