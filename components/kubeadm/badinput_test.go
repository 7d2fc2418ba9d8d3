package kubeadm_test

import (
	"encoding/base64"
	"net/netip"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/badinput"
	"github.com/mixedkube/mixedkube/internal/testkit/payload"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// forms are the values for arguments that are inputs.
var forms = []any{pulumi.String(""), pulumi.StringMap{}, pulumi.StringArray{}}

// outcome returns the resources of a program, with everything that the machines get.
func outcome(program pulumi.RunFunc) badinput.Outcome {
	graph, err := mocktest.Run(program, azure())
	out := badinput.Outcome{Err: err}
	for _, r := range graph.Resources() {
		in := mocktest.Revealed(r.Inputs)
		out.Data = append(out.Data, r.Name, in)
		out.Scripts = append(out.Scripts, badinput.Commands(in)...)
		switch r.Type {
		case machineType:
			profile, _ := in["osProfile"].(map[string]any)
			out.Scripts = append(out.Scripts, nodeScripts(profile["customData"])...)
		case extensionType:
			settings, _ := in["protectedSettings"].(map[string]any)
			for _, text := range settings {
				out.Scripts = append(out.Scripts, nodeScripts(text)...)
			}
			out.Data = append(out.Data, secretFiles(graph, r)...)
		}
	}
	return out
}

// secretFiles returns the decrypted files that an extension brings onto its machine, or the reason
// why they cannot be decrypted.
func secretFiles(graph *mocktest.Graph, extension mocktest.Resource) []any {
	vm, err := graph.Get(machineType, strings.TrimSuffix(extension.Name, "-bootstrap"))
	if err != nil {
		return []any{err.Error()}
	}
	profile, _ := mocktest.Revealed(vm.Inputs)["osProfile"].(map[string]any)
	data, _ := profile["customData"].(string)
	plain, err := payload.Decrypt(payload.In(settings(extension)), payload.KeyIn(unfolded(data)))
	if err != nil {
		return []any{err.Error()}
	}
	var files []any
	for _, part := range encodedText.FindAllString(unfolded(base64.StdEncoding.EncodeToString(plain)), -1) {
		if b, err := base64.StdEncoding.DecodeString(part); err == nil {
			files = append(files, string(b))
		}
	}
	return files
}

// nodeScripts returns the scripts in a text that may be in base64.
func nodeScripts(in any) []string {
	text, _ := in.(string)
	if b, err := base64.StdEncoding.DecodeString(text); err == nil {
		text = string(b)
	}
	return badinput.NodeScripts(text)
}

func blocked() []network.Destination {
	return []network.Destination{{CIDR: netip.MustParsePrefix("203.0.113.0/24"), TCPPorts: []int{443}}}
}

// tried returns a cluster with every setting, and few machines.
func tried() *kubeadm.ClusterArgs {
	args := full()
	args.ControlPlane.Count, args.ControlPlane.Zones = 1, []string{"1"}
	args.Pools = args.Pools[:4]
	args.Pools[0].Count = 1
	args.Pools = append(args.Pools[:1], args.Pools[3])
	args.PoolOptions = map[string]kubeadm.PoolOptions{"win22": full().PoolOptions["win25"]}
	args.WindowsAdmin.Password = pulumi.String(password)
	args.Keys.Secrets = []pulumi.StringInput{pulumi.String(configuredSecret), pulumi.String(otherSecret)}
	args.Keys.Cluster.Trusted, args.Keys.Encryption.Generation = []int{1}, 1
	other := certificates(madeFrom(otherSecret, "elsewhere"))
	for key, pair := range map[*kubeadm.Key]bootstrap.KeyPair{
		&args.Keys.Etcd: other.EtcdCA, &args.Keys.FrontProxy: other.FrontProxyCA,
		&args.Keys.ServiceAccounts: other.ServiceAccount,
	} {
		key.Trusted = []int{1}
		key.Pairs = []kubeadm.KeyPair{{
			Certificate: pulumi.String(pair.Certificate), PrivateKey: pulumi.String(pair.PrivateKey),
		}}
	}
	args.Releases.Kubernetes = args.Releases.Kubernetes[2:3]
	args.Network.BlockedEgress = blocked()
	return args
}

var (
	unshown = map[string]string{
		`(.*\.)?image\.\w+`:     "the error is about another part, or about no part",
		`releases\..*\.url`:     "an address may have a password or a signature",
		`keys\..*\.certificate`: "it is too long for a line",
		`caCertificate|apiServer\.options\.(oidc\.ca|audit\.policy)`: "it is too long for a line",
		`linuxAdmin\.sshPublicKey|networkManifests`:                  "it is too long for a line",
	}
	// untried are arguments that the valid ones do not set.
	untried = map[string]string{
		`.*\.timeAdded`:            "Kubernetes sets it",
		`.*\.reserved`:             "the component replaces it by its own",
		`.*\.reported\.capacity`:   "nodes report it",
		`keys\.encryption\.pairs`:  "there are none of this kind",
		`pools?(\[\d+\])?\.taints`: "package aks, where topology is checked the same, tries some",
	}
)

func TestBadInputsOfACluster(t *testing.T) {
	t.Parallel()
	var scripts []string
	for _, kind := range []network.Kind{network.UpstreamL3, network.FlannelVXLAN} {
		args := tried()
		args.Network.Kind = kind
		scripts = append(scripts, outcome(newCluster(args)).Scripts...)
	}
	badinput.Test[kubeadm.ClusterArgs]{
		Good:    tried,
		Run:     func(args *kubeadm.ClusterArgs) badinput.Outcome { return outcome(newCluster(args)) },
		Forms:   forms,
		Scripts: scripts,
		OtherPaths: map[string]string{
			`pools\[\d+\]\.count`: `pools`,
			`.*\.groupsPrefix`:    `.*\.groupsClaim`,
			`keys\..*`:            `keys\..*`,
			`(.*\.)?image\.\w+`:   `(.*\.)?image(\.\w+)?`,
			`network\.\w+`:        `network\.\w+|controlPlane|pools(\[\d+\])?`,
			// Machines have no autoscaling, and groups have no prefix without a claim.
			`pools\[\d+\]\.autoscaling\.\w+`:         `pools\[\d+\]\.autoscaling`,
			`apiServer\.options\.oidc\.groupsPrefix`: `apiServer\.options\.oidc\.groupsClaim`,
		},
		Nowhere: map[string]string{
			`keys\.secrets\[\d+\]`:                                 "only keys are made from it",
			`certificateAuthority\..*|keys\..*\.certificate`:       "PEM is encoded again",
			`releases\.[fF]lannel.*`:                               "no node of this network downloads it",
			`releases\.(runc|kubernetes\[0\]\.kubectl)\.windows.*`: "there is none for Windows",
			`releases\.kubernetes\[0\]\.kubeProxy\.linux.*`:        "on Linux it is an image",
		},
		Unshown: unshown,
		Untried: untried,
	}.Try(t)
}

func TestBadInputsOfAPool(t *testing.T) {
	t.Parallel()
	good := func() *kubeadm.NodePoolArgs {
		return goodPool(func(a *kubeadm.NodePoolArgs) {
			a.Network.Kind, a.RouteTableName = network.UpstreamL3, pulumi.String("routes")
			a.Location, a.Releases.Kubernetes = pulumi.String("westeurope"), a.Releases.Kubernetes[2:3]
			a.Tags = pulumi.StringMap{"team": pulumi.String("shop")}
			a.Network.BlockedEgress = blocked()
		})
	}
	badinput.Test[kubeadm.NodePoolArgs]{
		Good:    good,
		Run:     func(args *kubeadm.NodePoolArgs) badinput.Outcome { return outcome(newPool(args)) },
		Forms:   forms,
		Scripts: outcome(newPool(good())).Scripts,
		OtherPaths: map[string]string{
			`image\.\w+`: `image(\.\w+)?`, `network\.\w+`: `network\.\w+|pool\.count`,
			// It is checked when it is known, while the files of a machine are created.
			`token`: `join\.token`,
		},
		Nowhere: map[string]string{
			`linuxAdmin\..*`:                       "the pool runs Windows",
			`releases\.(.*\.linux|runc|flannel).*`: "no node of this pool downloads it",
			`releases\.flannelPlugin.*`:            "no node of this network downloads it",
			`releases\..*\.kubectl.*`:              "it is for the control plane",
		},
		Unshown: unshown,
		Untried: untried,
	}.Try(t)
}
