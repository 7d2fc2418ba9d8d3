package gmsa

import (
	"cmp"
	"fmt"

	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apiextensions"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	rbacv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/rbac/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/preflight/credspec"
)

const credentialSpecToken = "mixedkube:gmsa:CredentialSpec"

// CredentialSpec is a GMSACredentialSpec, and the role that allows its use.
type CredentialSpec struct {
	pulumi.ResourceState

	// Spec is the GMSACredentialSpec.
	Spec *apiextensions.CustomResource
	// Role is the ClusterRole gmsa-<name>-use. It allows nothing until it is bound, see
	// [CredentialSpec.Allow].
	Role *rbacv1.ClusterRole
	// Name is the name of the GMSACredentialSpec in Kubernetes.
	Name pulumi.StringOutput `pulumi:"name"`

	name string
}

// NewCredentialSpec describes a group managed service account to the cluster, for pods
// to run as it. Only the pods of some service accounts may: those of
// args.ServiceAccounts, and those of [CredentialSpec.Allow].
//
// It depends on the kind, see [NewCRD], where that is in the same program.
//
// The error lists everything that is wrong with the arguments, with field paths and, for
// the JSON, lines; nothing is registered then. Whether the account exists, only Active
// Directory knows.
func NewCredentialSpec(
	ctx *pulumi.Context, name string, args *CredentialSpecArgs, opts ...pulumi.ResourceOption,
) (*CredentialSpec, error) {
	configured := CredentialSpecArgs{}
	if args != nil {
		configured = *args
	}
	configured.Name = cmp.Or(configured.Name, name)
	specification, errs := configured.read()
	split, wrong := childoptions.Component{
		Token: credentialSpecToken, Name: name,
		Main:   childoptions.Child{Type: "kubernetes:" + group + "/" + version + ":" + kind, Name: name + "-spec"},
		Others: []childoptions.Child{{Type: clusterRoleType, Name: name + "-role"}},
	}.Split(opts)
	spec := &CredentialSpec{}
	held, err := refusal.Hold(ctx, spec,
		fielderrors.Join(fmt.Sprintf("%s %q", credentialSpecToken, name), append(wrong, errs...)))
	if err != nil {
		return nil, err
	}

	if err := ctx.RegisterComponentResource(credentialSpecToken, name, spec,
		append(split.Component, held...)...); err != nil {
		return nil, err
	}
	spec.name = configured.Name
	inside := pulumi.Parent(spec)
	spec.Spec, err = apiextensions.NewCustomResource(ctx, name+"-spec", &apiextensions.CustomResourceArgs{
		ApiVersion: pulumi.String(group + "/" + version),
		Kind:       pulumi.String(kind),
		Metadata:   metav1.ObjectMetaArgs{Name: pulumi.String(spec.name)},
		OtherFields: kubernetes.UntypedArgs{
			"credspec": inputs(specification, configured.HostAccountConfig.PluginInput),
		},
	}, split.Main(inside)...)
	if err != nil {
		return nil, err
	}
	if spec.Role, err = newRole(ctx, name+"-role", spec.name,
		split.For(clusterRoleType, name+"-role", inside)...); err != nil {
		return nil, err
	}
	for _, account := range configured.ServiceAccounts {
		account = account.withDefaults()
		// A namespace has no dot, so no two names are the same.
		binding := name + "-" + account.Namespace + "." + account.Name
		if _, err := spec.Allow(ctx, binding, pulumi.String(account.Namespace), pulumi.String(account.Name),
			inside); err != nil {
			return nil, err
		}
	}
	spec.Name = pulumi.String(spec.name).ToStringOutput()
	return spec, ctx.RegisterResourceOutputs(spec, pulumi.Map{"name": spec.Name})
}

// SpecName returns the name of the GMSACredentialSpec, for
// securityContext.windowsOptions.gmsaCredentialSpecName.
func (c *CredentialSpec) SpecName() string { return c.name }

// inputs returns the specification for Pulumi. The input of a plug-in is a secret.
func inputs(s credspec.Specification, pluginInput pulumi.StringInput) pulumi.Map {
	accounts := pulumi.Array{}
	for _, account := range s.ActiveDirectoryConfig.GroupManagedServiceAccounts {
		accounts = append(accounts,
			pulumi.StringMap{"Name": pulumi.String(account.Name), "Scope": pulumi.String(account.Scope)})
	}
	config := pulumi.Map{"GroupManagedServiceAccounts": accounts}
	if plugin := s.ActiveDirectoryConfig.HostAccountConfig; plugin != nil {
		if pluginInput == nil {
			pluginInput = pulumi.String(plugin.PluginInput)
		}
		config["HostAccountConfig"] = pulumi.Map{
			"PortableCcgVersion": pulumi.String(plugin.PortableCcgVersion),
			"PluginGUID":         pulumi.String(plugin.PluginGUID),
			"PluginInput":        pulumi.ToSecret(pluginInput),
		}
	}
	return pulumi.Map{
		"CmsPlugins": pulumi.ToStringArray(s.CmsPlugins),
		"DomainJoinConfig": pulumi.StringMap{
			"Sid":                pulumi.String(s.DomainJoinConfig.SID),
			"MachineAccountName": pulumi.String(s.DomainJoinConfig.MachineAccountName),
			"Guid":               pulumi.String(s.DomainJoinConfig.GUID),
			"DnsTreeName":        pulumi.String(s.DomainJoinConfig.DNSTreeName),
			"DnsName":            pulumi.String(s.DomainJoinConfig.DNSName),
			"NetBiosName":        pulumi.String(s.DomainJoinConfig.NetBIOSName),
		},
		"ActiveDirectoryConfig": config,
	}
}
