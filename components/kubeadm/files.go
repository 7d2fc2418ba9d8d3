package kubeadm

import (
	"encoding/base64"
	"net/netip"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/kubeadm/plan"
)

// files makes what Azure is to run on machines: customData that everybody may see, and
// settings of an extension with the secrets.
type files struct {
	// cluster is the cluster for the addresses that are known.
	cluster func(map[string]netip.Addr) bootstrap.Cluster
	// addresses are those of the machines by name that a machine has to know.
	addresses pulumi.StringMapOutput
	// ca is the certificate of the cluster's authority, empty where it is not known.
	ca pulumi.StringOutput
}

func (f files) customData(m plan.Machine) pulumi.StringOutput {
	return pulumi.All(f.addresses, f.ca).ApplyT(func(values []any) (string, error) {
		public, err := bootstrap.PublicFiles(f.at(values[0].(map[string]string), values[1].(string)), m.Name)
		if err != nil {
			return "", err
		}
		return customData(m, public), nil
	}).(pulumi.StringOutput)
}

func customData(m plan.Machine, public []bootstrap.File) string {
	if m.Pool.Platform.IsWindows() {
		return bootstrap.WindowsScript(public)
	}
	return bootstrap.CloudConfig(public)
}

// protectedSettings are those of the extension: a script on Linux, and on Windows, which
// takes none, a command that runs the customData. The join is a [bootstrap.Join].
func (f files) protectedSettings(m plan.Machine, join pulumi.Output) pulumi.Map {
	text := pulumi.All(f.addresses, f.ca, join).ApplyT(func(values []any) (string, error) {
		cluster := f.at(values[0].(map[string]string), values[1].(string))
		secret, err := bootstrap.SecretFiles(cluster, m.Name, values[2].(bootstrap.Join))
		if err != nil {
			return "", err
		}
		if !m.Pool.Platform.IsWindows() {
			return base64.StdEncoding.EncodeToString([]byte(bootstrap.LinuxScript(secret))), nil
		}
		public, err := bootstrap.PublicFiles(cluster, m.Name)
		if err != nil {
			return "", err
		}
		return bootstrap.WindowsCommand(customData(m, public), secret)
	})
	if m.Pool.Platform.IsWindows() {
		return pulumi.Map{"commandToExecute": pulumi.ToSecret(text)}
	}
	return pulumi.Map{"script": pulumi.ToSecret(text)}
}

func (f files) at(texts map[string]string, ca string) bootstrap.Cluster {
	addresses := map[string]netip.Addr{}
	for name, text := range texts {
		// One that cannot be read is none: the cluster then says that the machine is not
		// among its nodes.
		if address, err := netip.ParseAddr(text); err == nil {
			addresses[name] = address
		}
	}
	cluster := f.cluster(addresses)
	cluster.CACertificate = ca
	return cluster
}
