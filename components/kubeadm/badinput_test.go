package kubeadm_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/badinput"
)

// forms are what stands in arguments that are inputs.
var forms = []any{pulumi.String(""), pulumi.StringMap{}}

// outcome is what a program makes, with all that the machines get.
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
		}
	}
	return out
}

// nodeScripts are those of a text that may be in base64.
func nodeScripts(in any) []string {
	text, _ := in.(string)
	if b, err := base64.StdEncoding.DecodeString(text); err == nil {
		text = string(b)
	}
	return badinput.NodeScripts(text)
}

// tried is a cluster with something of everything, and few machines.
func tried() *kubeadm.ClusterArgs {
	args := full()
	args.ControlPlane.Count, args.ControlPlane.Zones = 1, []string{"1"}
	args.Pools = args.Pools[:4]
	args.Pools[0].Count = 1
	args.Pools = append(args.Pools[:1], args.Pools[3])
	args.PoolOptions = map[string]kubeadm.PoolOptions{"win22": full().PoolOptions["win25"]}
	args.Secret, args.WindowsAdmin.Password = pulumi.String(clusterSecret), pulumi.String(password)
	args.Releases.Kubernetes = args.Releases.Kubernetes[2:]
	return args
}

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
	}.Try(t)
}

func TestBadInputsOfAPool(t *testing.T) {
	t.Parallel()
	good := func() *kubeadm.NodePoolArgs {
		return goodPool(func(a *kubeadm.NodePoolArgs) {
			a.Network.Kind, a.RouteTableName = network.UpstreamL3, pulumi.String("routes")
			a.Location, a.Releases.Kubernetes = pulumi.String("westeurope"), a.Releases.Kubernetes[2:]
		})
	}
	badinput.Test[kubeadm.NodePoolArgs]{
		Good:    good,
		Run:     func(args *kubeadm.NodePoolArgs) badinput.Outcome { return outcome(newPool(args)) },
		Forms:   forms,
		Scripts: outcome(newPool(good())).Scripts,
	}.Try(t)
}

var _ = bootstrap.KnownReleases
var _ = strings.Repeat
