package arm

import (
	"encoding/base64"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/tools/clientcmd"
)

// Users of a cluster with Microsoft Entra ID have no certificate: kubelogin signs them in. The
// local administrator has one.
func TestCredentialsWithEntraID(t *testing.T) {
	t.Parallel()
	const certificate = "apiVersion: v1\nkind: Config\ncurrent-context: c\n" +
		"clusters: [{name: c, cluster: {server: 'https://c'}}]\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n" +
		"users: [{name: u, user: {client-certificate-data: Yw==, client-key-data: aw==}}]\n"
	cloud := emptyCloud(t, Options{Kubeconfig: func() ([]byte, error) { return []byte(certificate), nil }})
	mustPut(t, cloud, clusterID, clusterBody(map[string]any{"aadProfile": Body{"managed": true, "tenantID": "t"}}))
	answered := func(action string) string {
		answer, err := cloud.Post(t.Context(), clusterID, action, nil)
		if err != nil {
			t.Fatal(err)
		}
		value := answer["kubeconfigs"].([]any)[0].(Body)["value"].(string)
		text, err := base64.StdEncoding.DecodeString(value)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got := answered("listClusterAdminCredential"); got != certificate {
		t.Errorf("the administrator has\n%s", got)
	}
	config, err := clientcmd.Load([]byte(answered("listClusterUserCredential")))
	if err != nil {
		t.Fatal(err)
	}
	user := config.Contexts[config.CurrentContext].AuthInfo
	info := config.AuthInfos[user]
	if info == nil || info.Exec == nil {
		t.Fatalf("the user %q of the context has no command in %+v", user, config.AuthInfos)
	}
	got := map[string]any{
		"users": len(config.AuthInfos), "server": config.Clusters["c"].Server, "user": user,
		"command": info.Exec.Command, "args": info.Exec.Args,
	}
	want := map[string]any{
		"users": 1, "server": "https://c", "user": "clusterUser_rg_shop", "command": "kubelogin",
		"args": []string{
			"get-token", "--environment", "AzurePublicCloud", "--server-id", "6dae42f8-4368-4678-94ff-3960e28e3630",
			"--client-id", "80faf920-1908-4b52-b5ef-a8e7bedfc67a", "--tenant-id", "t", "--login", "devicecode",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the user's kubeconfig (-want +got):\n%s", diff)
	}
	if info.ClientCertificateData != nil || info.ClientKeyData != nil {
		t.Errorf("the user has a certificate: %+v", *info)
	}
}
