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

// A layer is a group of packages of this module. Patterns are relative to the
// module; "components/..." is everything below components, "." the package in the root.
type layer struct {
	name     string
	packages []string
	// peers is true if the packages of the layer may import one another.
	peers bool
}

// layers are the layers of the module, from the lowest to the highest. A package belongs to
// the first layer that names it, and imports from lower layers only.
var layers = []layer{
	{name: "values", packages: []string{"core/value"}},
	{name: "escapes", packages: []string{"internal/core/fielderrors/escape"}},
	{
		name: "foundation", packages: []string{
			"internal/core/fielderrors", "internal/core/facts/kubeversion", "internal/testkit/golden", "internal/testkit/payload", "internal/core/facts/vm",
			"internal/testkit/badinput", "internal/core/rule/rulepages", "internal/svg", "internal/system/disk", "internal/system/hosts",
			"internal/system/executable", "internal/testkit/benchtest", "internal/system/clock",
		},
	},
	{name: "connections", packages: []string{"internal/system/loopback"}},
	{name: "trees", packages: []string{"internal/core/value/tree"}},
	{name: "facts", packages: []string{"internal/core/facts", "internal/core/facts/noderoom", "internal/core/facts/azuretypes"}},
	{name: "providers' rules", packages: []string{"components/mocktest/change"}},
	{name: "mocks", packages: []string{"components/mocktest"}},
	{name: "rule engine", packages: []string{"core/rule"}},
	{name: "rule tests", packages: []string{"core/rule/ruletest"}},
	{name: "platform", packages: []string{"core/platform"}},
	{name: "topology", packages: []string{"core/topology"}},
	{name: "support of clouds", packages: []string{"core/aks/support"}},
	{name: "manifests", packages: []string{"internal/core/manifests"}},
	{name: "users' files", packages: []string{"internal/system/userfiles"}},
	{name: "images", packages: []string{"core/images"}},
	{name: "placement", packages: []string{"internal/core/placement"}},
	{name: "pods", packages: []string{"internal/core/pods"}},
	{name: "pod network", packages: []string{"machines/bootstrap/network"}},
	{name: "bootstrap", packages: []string{"machines/bootstrap"}},
	{name: "keys", packages: []string{"machines/kubeadm/pki"}},
	{name: "API client", packages: []string{"components/kubeadm/internal/kubeapi"}},
	{
		name: "work in the cluster", packages: []string{
			"components/kubeadm/internal/drain", "components/kubeadm/internal/jointoken",
		},
	},
	{name: "structure of objects", packages: []string{"core/preflight/internal/structure"}},
	{
		name: "rules", packages: []string{
			"core/preflight", "core/aks/plan", "machines/kubeadm/plan", "internal/core/manifests/helmchart",
		},
	},
	{name: "examples of rules", packages: []string{"core/preflight/internal/examples"}},
	{name: "mutation", packages: []string{"internal/core/mutate"}},
	{name: "landings", packages: []string{"internal/core/landings"}},
	{name: "inputs", packages: []string{"internal/components/input", "core/conversion"}},
	{name: "refusal", packages: []string{"internal/components/refusal"}},
	{name: "reports", packages: []string{"core/report"}},
	{name: "maps", packages: []string{"internal/clustermap"}},
	{name: "registries", packages: []string{"system/registry"}},
	{name: "sources of commands", packages: []string{"internal/cli/sources"}},
	{name: "policy pack", packages: []string{"internal/policy"}},
	{name: "commands", packages: []string{"internal/cli"}},
	{name: "components", packages: []string{"components/..."}, peers: true},
	{name: "stacks' configuration", packages: []string{"stacks/stackconfig", "stacks/stacktest"}},
	{name: "stacks' program", packages: []string{"stacks/stackprogram"}},
	{name: "tests of examples", packages: []string{"examples/internal/exampletest"}},
	{name: "programs", packages: []string{"stacks/...", "examples/..."}},
	{name: "entry point", packages: []string{"."}},
}

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
	"core/value", "core/rule", "core/platform", "core/topology", "core/preflight/...",
	"core/report", "core/images", "core/conversion", "core/aks/plan",
	"core/aks/support", "machines/kubeadm/plan", "machines/kubeadm/pki", "machines/bootstrap/...",
	"components/gmsa/internal/credspec",
	"internal/core/value/tree", "internal/core/manifests", "internal/core/pods", "internal/core/placement", "internal/core/mutate",
	"internal/core/landings", "internal/core/facts", "internal/core/facts/noderoom", "internal/core/facts/vm", "internal/core/facts/kubeversion",
	"internal/core/fielderrors", "internal/core/manifests/helmchart", "internal/core/facts/azuretypes", "internal/core/rule/rulepages", "internal/core/fielderrors/escape",
	"internal/testkit/payload", "internal/clustermap", "internal/svg",
}

var bans = []ban{
	{
		packages: deciding, direct: true, sparesTests: true,
		imports: oneOf("os", "os/exec", "os/signal", "os/user", "net", "net/http", "syscall", "io/ioutil", "log"),
		why: "what decides takes bytes, a reader or an fs.FS: internal/system/userfiles finds, reads and writes the " +
			"files of users",
	},
	{
		packages: deciding, direct: true, sparesTests: true,
		// It writes the paths of files relative to a directory of this machine, without looking at them.
		except:  []string{"core/report"},
		imports: oneOf("path/filepath"),
		why:     "what decides does not know which slashes the system has: use path, and internal/system/userfiles",
	},
	{
		packages: deciding, direct: true, sparesTests: true,
		imports: func(path string) bool { return relative(path) != path && !matches(deciding, path) },
		why:     "what decides imports only what decides, so that no other package reads or writes for it",
	},
	{
		packages: []string{
			"internal/core/fielderrors/escape", "internal/core/fielderrors", "internal/core/facts", "internal/core/facts/noderoom", "internal/core/facts/azuretypes",
			"internal/core/value/tree",
			"internal/core/facts/kubeversion", "internal/testkit/golden", "internal/testkit/badinput", "internal/core/rule/rulepages",
			"core/value", "core/platform",
			"core/topology", "internal/core/placement", "internal/core/pods", "core/preflight/...",
			"machines/bootstrap/...", "core/aks/plan", "core/aks/support",
			"machines/kubeadm/plan", "machines/kubeadm/pki",
			"internal/core/facts/vm", "internal/system/disk", "internal/system/hosts", "internal/system/executable", "internal/testkit/benchtest",
			"internal/system/loopback",
			"components/kubeadm/internal/...",
			"core/images/...", "components/gmsa/internal/credspec", "core/conversion",
			"internal/core/landings", "internal/clustermap", "internal/svg", "internal/core/mutate", "internal/core/manifests",
			"internal/system/...",
			"core/rule/...",
			"core/report", "internal/cli/sources", "internal/core/manifests/helmchart",
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
			"its SDK would make the command much larger",
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
		imports: below(cobra, pflag, udiff),
		why:     "the root go.mod requires it for the command only",
	},
	{
		packages: []string{"..."},
		except:   []string{"system/registry", "internal/cli", "."},
		imports:  below(registries, module+"/system/registry"),
		why: "rules, previews and programs do not query registries: they get facts from the lock file, which the " +
			"command writes",
	},
	{
		packages: []string{"components/...", "internal/..."},
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
