package aks_test

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/badinput"
)

// forms are the values of arguments that are inputs.
var forms = []any{pulumi.String(""), pulumi.StringMap{}, pulumi.StringArray{}, pulumi.Int(0), pulumi.Bool(false)}

// outcome returns the outcome of a program.
func outcome(program pulumi.RunFunc) badinput.Outcome { return outcomeIn(program, akstest.Azure()) }

// outcomeIn returns the outcome in an Azure, by default with a cluster that was created without this library.
func outcomeIn(program pulumi.RunFunc, azure ...mocktest.Option) badinput.Outcome {
	if azure == nil {
		azure = []mocktest.Option{akstest.Azure(unmanaged(nil))}
	}
	graph, err := mocktest.Run(program, append(azure, mocktest.Preview())...)
	out := badinput.Outcome{Err: err}
	for _, r := range graph.Resources() {
		in := mocktest.Revealed(r.Inputs)
		out.Data = append(out.Data, r.Name, in)
		if r.Type == commandType {
			for _, when := range []string{"create", "update", "delete"} {
				if text, ok := in[when].(string); ok {
					out.Scripts = append(out.Scripts, text)
				}
			}
		}
	}
	return out
}

// tried returns arguments that set almost every field.
func tried() *aks.ClusterArgs {
	args := full()
	args.WindowsAdmin.Password = pulumi.String(password)
	args.APIServer.AuthorizedIPRanges, args.APIServer.Private = nil, true
	return args
}

func TestBadInputsOfACluster(t *testing.T) {
	t.Parallel()
	var scripts []string
	for _, args := range []*aks.ClusterArgs{
		tried(), small(func(a *aks.ClusterArgs) { a.AzureCLI = true }),
		small(func(a *aks.ClusterArgs) { a.AzureCLI, a.WindowsAdmin.GMSA = true, tried().WindowsAdmin.GMSA }),
	} {
		scripts = append(scripts, outcome(newCluster(args)).Scripts...)
	}
	badinput.Test[aks.ClusterArgs]{
		Good:    tried,
		Run:     func(args *aks.ClusterArgs) badinput.Outcome { return outcome(newCluster(args)) },
		Forms:   forms,
		Scripts: scripts,
		OtherPaths: map[string]string{
			`network\.(mode|outboundType)`: `network\.podSubnetID|pools\[\d+\]\.disableOutboundNAT`,
			`clusterName`:                  `options\.nodeResourceGroup`,
		},
		Nowhere: map[string]string{
			`retry\..*`: ofTheProgram,
			`login\..*`: "it is in a kubeconfig, which is not known before the cluster exists",
		},
		Unshown: map[string]string{`(poolOptions\[\w+\]\.)?options\..*`: "whatever it is, another argument has it"},
		Untried: untried,
	}.Try(t)
}

// untried are arguments that the good arguments do not set.
var untried = map[string]string{
	`.*\.taints\[\d+\]\.timeAdded`:          "Kubernetes sets it",
	`pools?(\[\d+\])?\.reserved`:            "the component replaces it with its own",
	`.*\.reported\.capacity`:                "nodes report it",
	`pools\[\d+\]\.taints`:                  "another pool has some",
	`(poolOptions\[\w+\]\.)?options(\..*)?`: "they are the SDK's, and passed on",
}

const ofTheProgram = "it configures the program, and no resource has it"

func TestBadInputsOfAPool(t *testing.T) {
	t.Parallel()
	badinput.Test[aks.NodePoolArgs]{
		Good: func() *aks.NodePoolArgs {
			return &aks.NodePoolArgs{
				ResourceGroupName: pulumi.String("group"), ClusterName: pulumi.String("shop"),
				KubernetesVersion: "1.36",
				Pool: topology.Pool{
					Name: "more", Platform: platform.Linux, Size: "Standard_D4s_v5",
					Labels: map[string]string{"team": "shop"}, Zones: []string{"1"},
					Taints: []corev1.Taint{{Key: "team", Value: "shop", Effect: corev1.TaintEffectNoSchedule}},
				},
				Tags: pulumi.StringMap{"team": pulumi.String("shop")},
			}
		},
		Run:   func(args *aks.NodePoolArgs) badinput.Outcome { return outcome(newPool(args)) },
		Forms: forms,
		Nowhere: map[string]string{
			`retry\..*`:                           ofTheProgram,
			`network\.(mode|policy|outboundType)`: "the pool is only compared with it",
		},
		Untried: untried,
	}.Try(t)
}

func TestBadInputsOfAnExistingCluster(t *testing.T) {
	t.Parallel()
	badinput.Test[aks.ExistingArgs]{
		Good: func() *aks.ExistingArgs {
			return &aks.ExistingArgs{ResourceGroupName: "shop-group", ClusterName: "shop"}
		},
		Run: func(args *aks.ExistingArgs) badinput.Outcome {
			return outcomeIn(func(ctx *pulumi.Context) error {
				_, err := aks.Existing(ctx, "shop", args)
				return err
			})
		},
		Forms: forms,
		Nowhere: map[string]string{
			`retry\..*`: ofTheProgram, `login\.\w+`: "the kubeconfig of the test signs in with a certificate",
			`resourceGroupName`: "the component's outputs have it",
		},
		Untried: map[string]string{"pools": "the next test tries their arguments"},
	}.Try(t)
}

func TestBadInputsOfAPoolOfAnExistingCluster(t *testing.T) {
	t.Parallel()
	badinput.Test[aks.PoolArgs]{
		Good: func() *aks.PoolArgs {
			return &aks.PoolArgs{
				Pool: topology.Pool{
					Name: "more", Platform: platform.Linux, Size: "Standard_D4s_v5",
					Labels: map[string]string{"team": "shop"}, Zones: []string{"1"},
					Taints: []corev1.Taint{{Key: "team", Value: "shop", Effect: corev1.TaintEffectNoSchedule}},
				},
				Tags: pulumi.StringMap{"team": pulumi.String("shop")},
			}
		},
		Run: func(args *aks.PoolArgs) badinput.Outcome {
			return outcomeIn(inExisting(func(ctx *pulumi.Context, cluster *aks.ExistingCluster) error {
				_, err := cluster.NewNodePool(ctx, "more", args)
				return err
			}))
		},
		Forms:   forms,
		Unshown: map[string]string{"podSubnetID": "whatever it is, the mode does not use it"},
		Untried: untried,
	}.Try(t)
}
