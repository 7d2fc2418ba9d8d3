package arm

import (
	"fmt"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// The applications of AKS in every tenant (https://azure.github.io/kubelogin/concepts/aks.html).
const (
	entraServer = "6dae42f8-4368-4678-94ff-3960e28e3630"
	entraClient = "80faf920-1908-4b52-b5ef-a8e7bedfc67a"
)

// hasEntraID reports whether a cluster accepts tokens of Microsoft Entra ID.
func (f *resource) hasEntraID() bool { return at(f.Body, "properties.aadProfile.managed") == true }

// withKubelogin returns a kubeconfig for users of a cluster with Microsoft Entra ID: they have no certificate, and sign
// in with a browser (https://github.com/pulumi/pulumi-azure-native/issues/2399).
func (r *request) withKubelogin(found *resource, kubeconfig []byte) ([]byte, error) {
	config, err := clientcmd.Load(kubeconfig)
	if err != nil {
		return nil, err
	}
	home := tenant
	if configured, ok := at(found.Body, "properties.aadProfile.tenantID").(string); ok {
		home = configured
	}
	user := fmt.Sprintf("clusterUser_%s_%s", r.id.group, r.id.name())
	config.AuthInfos = map[string]*api.AuthInfo{user: {Exec: &api.ExecConfig{
		APIVersion: "client.authentication.k8s.io/v1beta1",
		Command:    "kubelogin",
		Args: []string{
			"get-token", "--environment", "AzurePublicCloud", "--server-id", entraServer,
			"--client-id", entraClient, "--tenant-id", home, "--login", "devicecode",
		},
		InstallHint: "kubelogin is not installed which is required to connect to AAD enabled cluster.\n\n" +
			"To learn more, please go to https://aka.ms/aks/kubelogin\n",
	}}}
	for _, context := range config.Contexts {
		context.AuthInfo = user
	}
	return clientcmd.Write(*config)
}
