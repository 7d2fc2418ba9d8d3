package components_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// The reasons why inputs are plain.
const (
	choice = "A choice: the component decides on it what it registers and how, before anything has a value."
	whole  = "What the component works with: the resources, their names and nearly all rules follow from it. " +
		"An unknown part would leave the preview nothing to check."
	naming = "The names of resources, or of objects in the cluster, follow from it; Pulumi has to know them to tell " +
		"resources from one another."
	checked = "It is checked in the preview, with the other arguments and against them: what AKS, Azure, Kubernetes " +
		"or Windows refuses is an error before anything is created."
	written = "It is a part of a generated text, a script, a configuration or a pod's specification, which is " +
		"checked as a whole, or whose hash is a part of a name."
	list = "How many there are decides how many resources or properties there are. The elements of the list " +
		"may be outputs, if their type allows it."
	program = "It is about the program itself: its rules, its waiting, what it tells apart."
)

// reasonsBy are the inputs that are plain for a reason, by their type, or by their name: with the struct that they are
// in, or as in all arguments.
var reasonsBy = map[string][]string{
	whole: {
		"type topology.Topology", "type topology.Pool", "type []topology.Pool", "type network.Network",
		"type platform.Platform", "type []platform.Platform", "type map[string]platform.Platform",
		"KubernetesVersion", "manifest.GroupArgs.Files", "manifest.GroupArgs.YAML",
		"NetworkManifests",
		"manifest.GroupArgs.Images", "manifest.ChartArgs.Images",
	},
	naming: {
		"ClusterName", "ResourceGroupName", "aks.PoolOptions.NameInAzure", "gmsa.CredentialSpecArgs.Name",
		"gmsa.WebhookArgs.Name", "hostprocess.DaemonSetArgs.Name",
		"logmonitor.ConfigArgs.Name", "hostprocess.NodeLogsArgs.Node", "type []gmsa.ServiceAccount",
	},
	choice: {
		"bool", "enum", "type []plan.Preview", "type workload.CredentialSpec", "Username", "LicenseType", "Replicas",
		"runtimeclass.SetArgs.Handler",
	},
	checked: {
		"Image", "type plan.GMSA", "type gmsa.Domain", "Account", "JSON",
		"PluginGUID", "PortableCcgVersion", "type connectivity.Images", "OutboundURL",
		"gmsa.WebhookArgs.Chart", "Repository", "Version", "type plan.ControlPlane",
		"type []plan.ServicePort", "type bootstrap.APIServerOptions", "type map[string]plan.PoolOptions",
		"type bootstrap.KubeletOptions", "type plan.Security", "type plan.Patching", "type bootstrap.Releases",
		"FirewallImage", "AllowedSources", "PluginImage", "WindowsImage",
	},
	written: {
		"LogMonitors", "Program", "Collectors", "ServiceMonitorLabels", "type []logmonitor.Source",
	},
	list: {
		"type map[string]aks.PoolOptions", "type map[string]aks.PoolArgs", "type kubeadm.Keys",
		"type []connectivity.Check",
	},
	program: {"Ignore", "Run", "TimeoutSeconds", "type plan.Retry"},
}

// reasonsOf are the same reasons by input.
var reasonsOf = func() map[string]string {
	of := map[string]string{}
	for reason, keys := range reasonsBy {
		for _, key := range keys {
			of[key] = reason
		}
	}
	return of
}()

// reasons numbers the reasons that are used.
type reasons struct {
	numbers map[string]int
	used    map[string]bool
}

func newReasons() *reasons { return &reasons{map[string]int{}, map[string]bool{}} }

var inputType = reflect.TypeFor[pulumi.Input]()

// plain returns the fields of arguments that cannot be outputs, each with the number of the reason.
func (r *reasons) plain(t *testing.T, args reflect.Type, path string) []string {
	t.Helper()
	var plain []string
	for field := range args.Fields() {
		at := path + field.Name
		switch {
		case !field.IsExported() || field.Type.Implements(inputType):
		case field.Anonymous:
			plain = append(plain, r.plain(t, field.Type, path)...)
		default:
			if reason, ok := r.reason(args, field); ok {
				plain = append(plain, fmt.Sprintf("`%s` (%d)", at, reason))
			} else if isArgs(field.Type) {
				plain = append(plain, r.plain(t, field.Type, at+".")...)
			} else {
				t.Errorf("%s.%s (%s) is not a pulumi.Input, and reasonsOf has no reason for it",
					args, field.Name, field.Type)
			}
		}
	}
	return plain
}

// isArgs reports whether a type is a struct of arguments of this library with inputs in it.
func isArgs(typ reflect.Type) bool {
	if typ.Kind() != reflect.Struct || !strings.HasPrefix(typ.PkgPath(), module) {
		return false
	}
	for field := range typ.Fields() {
		if field.Type.Implements(inputType) || isArgs(field.Type) {
			return true
		}
	}
	return false
}

const module = "github.com/mixedkube/mixedkube/"

// reason returns the number of the reason for a field: one of its own, one of its type, or one of all fields of its
// name or kind.
func (r *reasons) reason(args reflect.Type, field reflect.StructField) (int, bool) {
	keys := []string{args.String() + "." + field.Name, "type " + field.Type.String(), field.Name}
	switch kind := field.Type.Kind(); {
	case kind == reflect.Bool:
		keys = append(keys, "bool")
	case (kind == reflect.String || kind == reflect.Int) && strings.HasPrefix(field.Type.PkgPath(), module):
		keys = append(keys, "enum")
	}
	for _, key := range keys {
		reason, ok := reasonsOf[key]
		if !ok {
			continue
		}
		r.used[key] = true
		if r.numbers[reason] == 0 {
			r.numbers[reason] = len(r.numbers) + 1
		}
		return r.numbers[reason], true
	}
	return 0, false
}

// list returns the reasons by their numbers.
func (r *reasons) list(t *testing.T) string {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(reasonsOf)) {
		if !r.used[key] {
			t.Errorf("reasonsOf[%q] no longer applies to a plain input: remove it", key)
		}
	}
	byNumber := slices.SortedFunc(maps.Keys(r.numbers), func(a, b string) int { return r.numbers[a] - r.numbers[b] })
	var b strings.Builder
	for i, reason := range byNumber {
		fmt.Fprintf(&b, "%d. %s\n", i+1, reason)
	}
	return b.String()
}
