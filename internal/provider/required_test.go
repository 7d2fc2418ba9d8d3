package provider

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// alternatives are properties that a component needs although the schema does not require them, because another
// property can replace them, or because they depend on another property.
var alternatives = map[string][]string{
	"mixedkube:gmsa:CredentialSpec":   {"account", "domain"}, // or json
	"mixedkube:hostprocess:DaemonSet": {"user"},              // or the pods have it
	// A cluster of kubeadm has a default for the range of its nodes.
	"mixedkube:hostprocess:Flannel":   {"nodeCIDR"},
	"mixedkube:hostprocess:KubeProxy": {"nodeCIDR"},
	// Or caCertificate. Only Windows machines need the administrator. The hashes of programs for Windows are missing.
	// A topology has no sizes if the program does not create machines.
	"mixedkube:kubeadm:NodePool": {
		"caCertHashes", "windowsAdmin", "password", "releases", "nodeCIDR", "size",
	},
	"mixedkube:kubeadm:Cluster": {"windowsAdmin", "password", "releases", "size"},
	"mixedkube:aks:Cluster":     {"size", "mode"},
	"mixedkube:aks:NodePool":    {"size"},
	"mixedkube:manifest:Group":  {"yaml"}, // or files
}

// variantIn returns the variant that an object names, or the type itself.
func variantIn(t reflect.Type, in args) reflect.Type {
	if name, ok := in[variantKey].(string); ok && hasVariants(t) {
		return variantsOf(t)[name]
	}
	return t
}

// onlyRequired returns arguments without optional properties, except those that the component needs.
func onlyRequired(t reflect.Type, in any, needed ...string) any {
	t = below(t)
	if isText(t) || isInput(t) || isResourceArgs(t) {
		return in
	}
	switch in := in.(type) {
	case args:
		t = variantIn(t, in)
		if t.Kind() != reflect.Struct {
			return in
		}
		out, all := args{}, fields(t)
		for key, value := range in {
			if f := all[key]; key == variantKey && isVariant(t) {
				out[key] = value
			} else if key == "releases" && slices.Contains(needed, key) {
				out[key] = value
			} else if !optional(f) || slices.Contains(needed, key) {
				out[key] = onlyRequired(f.Type, value, needed...)
			}
		}
		return out
	case list:
		out := make(list, len(in))
		for i, value := range in {
			out[i] = onlyRequired(t.Elem(), value, needed...)
		}
		return out
	default:
		return in
	}
}

// TestRequiredPropertiesAreSufficient creates each component with only the properties that the schema requires.
func TestRequiredPropertiesAreSufficient(t *testing.T) {
	t.Parallel()
	all := good(t)
	for _, c := range Components() {
		t.Run(c.Token(), func(t *testing.T) {
			t.Parallel()
			arguments := onlyRequired(c.Args, all[c.Token()], alternatives[c.Token()]...).(args)
			_, err := preview(t, c.Token(), arguments)
			if err != nil && strings.Contains(err.Error(), "Required value") {
				t.Errorf("with %v: %v", slices.Sorted(maps.Keys(arguments)), err)
			}
		})
	}
}

// requiredIn returns the paths of the required properties in arguments.
func requiredIn(t reflect.Type, in any, path []string) [][]string {
	t = below(t)
	if isText(t) || isInput(t) || isResourceArgs(t) {
		return nil
	}
	var found [][]string
	switch in := in.(type) {
	case args:
		t = variantIn(t, in)
		all := map[string]reflect.StructField{}
		if t.Kind() == reflect.Struct {
			all = fields(t)
		}
		for _, key := range slices.Sorted(maps.Keys(in)) {
			f, known := all[key]
			if !known {
				continue
			}
			at := append(slices.Clip(path), key)
			if !optional(f) {
				found = append(found, at)
			}
			found = append(found, requiredIn(f.Type, in[key], at)...)
		}
	case list:
		return requiredIn(t.Elem(), in[0], append(slices.Clip(path), "0"))
	}
	return found
}

var index = regexp.MustCompile(`\.0\b`)

// TestMissingRequiredPropertiesAreReported checks that an error names each required property that is not set.
func TestMissingRequiredPropertiesAreReported(t *testing.T) {
	t.Parallel()
	all := good(t)
	for _, c := range Components() {
		t.Run(c.Token(), func(t *testing.T) {
			t.Parallel()
			arguments := all[c.Token()]
			for key, value := range more[c.Token()] {
				arguments = with(arguments, strings.Split(key, "."), value).(args)
			}
			for _, path := range requiredIn(c.Args, arguments, nil) {
				at := index.ReplaceAllString(strings.Join(path, "."), "[0]")
				if c.Token()+" "+at == "mixedkube:workload:Pod spec" {
					continue // the API server reports it
				}
				if name, hidden := reportedAt[c.Token()+" "+at]; hidden {
					at = name
				}
				_, err := preview(t, c.Token(), with(arguments, path, nil).(args))
				if err == nil || !strings.Contains(err.Error(), at) {
					t.Errorf("without %s: %v", at, err)
				}
			}
		})
	}
}

// more are properties that contain required ones, in addition to those of [good].
var more = map[string]args{
	"mixedkube:gmsa:CredentialSpec": {"hostAccountConfig": args{
		"pluginGUID": "{CCC2A336-D7F3-4818-A213-272B7924213E}", "pluginInput": "ObjectId=a;SecretUri=b",
	}},
	"mixedkube:gmsa:Webhook": {"certificate": args{"ca": "a", "certificate": "b", "privateKey": "c"}},
	"mixedkube:kubeadm:Cluster": {
		"apiServer.options.oidc": args{"issuerURL": "https://login.example.com", "clientID": "kubectl"},
		"keys.cluster.pairs":     list{args{"certificate": "a", "privateKey": "b"}},
		"network":                args{"blockedEgress": list{args{"cidr": "192.0.2.1/32"}}},
		"servicePorts":           list{args{"port": 80, "nodePort": 30080}},
	},
	"mixedkube:aks:Cluster": {"pools.0.autoscaling": args{"max": 3}},
}

// reportedAt are the paths of errors for required properties that are reported at another path.
var reportedAt = map[string]string{
	"mixedkube:hostprocess:DaemonSet pods":    "spec.template.spec.containers",
	"mixedkube:manifest:Chart topology.pools": "topology",
	"mixedkube:manifest:Group topology.pools": "topology",
}
