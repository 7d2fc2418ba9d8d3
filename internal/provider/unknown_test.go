package provider

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// inputsOf returns the paths in a type that take outputs: the inputs of our own types, and outputs of other components.
// In a list it is the first element, in an object of pools the pool win22.
func inputsOf(t reflect.Type, path []string) [][]string {
	t = below(t)
	switch {
	case isText(t), isResourceArgs(t):
		return nil
	case isComponentOutput(t):
		return [][]string{path}
	case isInput(t):
		if t.Kind() == reflect.Struct {
			return nil // arguments of kubernetes, which must be plain
		}
		return [][]string{path}
	}
	var found [][]string
	switch t.Kind() {
	case reflect.Slice:
		return inputsOf(t.Elem(), append(slices.Clip(path), "0"))
	case reflect.Map:
		return inputsOf(t.Elem(), append(slices.Clip(path), "win22"))
	case reflect.Struct:
		all := fields(t)
		for _, key := range slices.Sorted(maps.Keys(all)) {
			found = append(found, inputsOf(all[key].Type, append(slices.Clip(path), key))...)
		}
	}
	return found
}

// extra are arguments that an input needs in addition to those of [good], or instead of them, by its path.
var extra = map[string]args{
	"hostAccountConfig.pluginInput": {"hostAccountConfig": args{
		"pluginGUID": "{CCC2A336-D7F3-4818-A213-272B7924213E}", "pluginInput": "ObjectId=a",
	}},
	"importID":                                 {"nameInAzure": "win22"},
	"login.clientID":                           withEntraID("spn"),
	"login.identityResourceID":                 withEntraID("msi"),
	"login.serviceConnectionID":                withEntraID("azurepipelines"),
	"network.podSubnetID":                      podSubnets,
	"poolOptions.win22.importID":               {"poolOptions.win22.nameInAzure": "win22"},
	"poolOptions.win22.podSubnetID":            podSubnets,
	"podSubnetID":                              podSubnets,
	"pools.win22.importID":                     {"pools.win22.nameInAzure": "win22"},
	"resourceGroupName":                        {"resourceGroupName": "shop"},
	"certificate.ca":                           webhookCertificate,
	"certificate.certificate":                  webhookCertificate,
	"certificate.privateKey":                   webhookCertificate,
	"keys.cluster.pairs.0.certificate":         {"keys.cluster.pairs": ownKey},
	"keys.cluster.pairs.0.privateKey":          {"keys.cluster.pairs": ownKey},
	"keys.etcd.pairs.0.certificate":            {"keys.etcd.pairs": ownKey},
	"keys.etcd.pairs.0.privateKey":             {"keys.etcd.pairs": ownKey},
	"keys.frontProxy.pairs.0.certificate":      {"keys.frontProxy.pairs": ownKey},
	"keys.frontProxy.pairs.0.privateKey":       {"keys.frontProxy.pairs": ownKey},
	"keys.serviceAccounts.pairs.0.certificate": {"keys.serviceAccounts.pairs": ownKey},
	"keys.serviceAccounts.pairs.0.privateKey":  {"keys.serviceAccounts.pairs": ownKey},
}

var (
	later      = mocktest.Unknown[pulumi.AnyOutput]()
	ownKey     = list{args{"certificate": later, "privateKey": later}}
	podSubnets = args{
		"network.mode":         "pod-subnet",
		"network.nodeSubnetID": subnets + "nodes", "network.podSubnetID": subnets + "pods",
	}
	webhookCertificate = args{"certificate": args{"ca": later, "certificate": later, "privateKey": later}}
)

const subnets = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/"

// withEntraID returns the arguments for a login mode of a cluster with Microsoft Entra ID.
func withEntraID(mode string) args {
	return args{"login.mode": mode, "options.aadProfile": args{"managed": true}}
}

// Reasons why children do not show an input as unknown.
const (
	inKubeconfig = "it is in the kubeconfig, which no preview knows"
	inKeys       = "it is one of the keys, which no preview knows"
	inScript     = "it is in the script of a machine, which no preview knows"
	isImport     = "a preview leaves out an import that it does not know"
	isSecret     = "a secret is shown as such"
	inChart      = "another plugin, which makes the chart, has it"
	amongOthers  = "the others are not known either"
)

// notShown are the reasons for inputs that the children do not show as unknown, by their paths.
var notShown = map[string]string{
	"certificate.ca":                           amongOthers,
	"certificate.certificate":                  amongOthers,
	"certificate.privateKey":                   amongOthers,
	"hostAccountConfig.pluginInput":            isSecret,
	"importID":                                 isImport,
	"keys.cluster.pairs.0.certificate":         inKeys,
	"keys.cluster.pairs.0.privateKey":          inKeys,
	"keys.etcd.pairs.0.certificate":            inKeys,
	"keys.etcd.pairs.0.privateKey":             inKeys,
	"keys.frontProxy.pairs.0.certificate":      inKeys,
	"keys.frontProxy.pairs.0.privateKey":       inKeys,
	"keys.serviceAccounts.pairs.0.certificate": inKeys,
	"keys.serviceAccounts.pairs.0.privateKey":  inKeys,
	"login.clientID":                           inKubeconfig,
	"login.identityResourceID":                 inKubeconfig,
	"login.serviceConnectionID":                inKubeconfig,
	"login.tenantID":                           inKubeconfig,
	"poolOptions.win22.importID":               isImport,
	"pools.win22.importID":                     isImport,
	"windowsAdmin.password":                    isSecret,

	"mixedkube:connectivity:Suite nodeAddress":           "it is joined to a node port, which no preview knows",
	"mixedkube:gmsa:Webhook namespace":                   inChart,
	"mixedkube:gmsa:Webhook values":                      inChart,
	"mixedkube:kubeadm:NodePool caCertHashes":            inScript,
	"mixedkube:kubeadm:NodePool caCertificate":           inScript,
	"mixedkube:kubeadm:NodePool endpoint":                inScript,
	"mixedkube:kubeadm:NodePool linuxAdmin.sshPublicKey": "machines with Windows do not have it",
	"mixedkube:kubeadm:NodePool token":                   inScript,
}

// refused are the reasons for inputs that are an error with all arguments of this test, by their paths.
var refused = map[string]string{
	"keys.encryption.pairs.0.certificate": "it is always made from the secret",
	"keys.encryption.pairs.0.privateKey":  "it is always made from the secret",
	"pools.win22.podSubnetID":             "the pods of the existing cluster have no subnet",
}

// TestAnUnknownInEachPlaceThatTakesAnInput previews each component with an unknown output, in each place that takes an
// output.
func TestAnUnknownInEachPlaceThatTakesAnInput(t *testing.T) {
	t.Parallel()
	all := good(t)
	for _, c := range Components() {
		t.Run(c.Token(), func(t *testing.T) {
			t.Parallel()
			for _, steps := range inputsOf(c.Args, nil) {
				path := strings.Join(steps, ".")
				if refused[path] != "" {
					continue
				}
				arguments := all[c.Token()]
				if strings.HasPrefix(path, "pools.win22.") {
					pool := all["mixedkube:aks:NodePool"]["pool"]
					arguments = with(arguments, []string{"pools", "win22", "pool"}, pool).(args)
				}
				for key, value := range extra[path] {
					first, _, _ := strings.Cut(key, ".")
					if _, known := fields(c.Args)[first]; !known {
						continue // the existing cluster has it
					}
					arguments = with(arguments, strings.Split(key, "."), value).(args)
				}
				known := within(t, path, c.Token(), arguments)
				unknown := within(t, path, c.Token(), with(arguments, steps, later).(args))
				if known != nil && unknown != nil {
					diffUnknown(t, c, path, known, unknown)
				}
			}
		})
	}
}

// diffUnknown checks that a preview shows unknown values as such.
func diffUnknown(t *testing.T, c Component, path string, known, unknown *mocktest.Graph) {
	t.Helper()
	if f, ok := fields(c.Args)[path]; ok && isComponentOutput(f.Type) {
		logged := slices.ContainsFunc(unknown.Logs(), func(l mocktest.Log) bool {
			return strings.HasPrefix(l.Message, path+" is not known yet: ")
		})
		if !logged {
			t.Errorf("%s: the log does not say that it is not known:\n%s", path, unknown)
		}
		return
	}
	shown := strings.Count(unknown.String(), "[unknown]") > strings.Count(known.String(), "[unknown]")
	if why := cmp.Or(notShown[c.Token()+" "+path], notShown[path]); shown == (why != "") {
		t.Errorf("%s: shown as unknown: %t, want %t %s", path, shown, why == "", why)
	}
}

// within returns the graph of a preview that must end without an error within the timeout.
func within(t *testing.T, at, token string, arguments args) *mocktest.Graph {
	t.Helper()
	type ended struct {
		graph *mocktest.Graph
		err   error
	}
	done := make(chan ended, 1)
	go func() {
		graph, err := preview(t, token, arguments)
		done <- ended{graph, err}
	}()
	select {
	case e := <-done:
		if e.err != nil {
			t.Errorf("%s: %v", at, e.err)
			return nil
		}
		return e.graph
	case <-time.After(2 * time.Minute):
		t.Errorf("%s: the preview does not end", at)
		return nil
	}
}
