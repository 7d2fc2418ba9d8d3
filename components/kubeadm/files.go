package kubeadm

import (
	"encoding/base64"
	"net/netip"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// files creates what Azure runs on machines: customData with the public files and a key, and settings
// of an extension with the secret files, which are encrypted with that key. The key is in
// customData because a machine keeps its customData, while an extension can get other settings.
type files struct {
	// cluster returns the cluster for the known addresses.
	cluster func(map[string]netip.Addr) bootstrap.Cluster
	// addresses are the addresses that a machine must know, by the name of their machine.
	addresses pulumi.StringMapOutput
	// payloadKey returns the key of a machine, a secret [bootstrap.PayloadKey].
	payloadKey func(plan.Machine) pulumi.Output
	// ca is the certificate of the cluster's authority, empty if it is not known.
	ca pulumi.StringOutput
	// endpoint is the address at which the machines reach the API server.
	endpoint pulumi.StringOutput
}

// customData returns a secret, because the text contains the key.
func (f files) customData(m plan.Machine) pulumi.StringOutput {
	text := pulumi.All(f.payloadKey(m), f.addresses, f.ca, f.endpoint).ApplyT(func(values []any) (string, error) {
		return customData(f.at(values[1:]), m, values[0].(bootstrap.PayloadKey))
	})
	return pulumi.ToSecret(text).(pulumi.StringOutput)
}

func customData(cluster bootstrap.Cluster, m plan.Machine, key bootstrap.PayloadKey) (string, error) {
	public, err := bootstrap.PublicFiles(cluster, m.Name)
	if err != nil {
		return "", err
	}
	public = append(public, key.File(m.Pool.Platform))
	if m.Pool.Platform.IsWindows() {
		return bootstrap.WindowsScript(public), nil
	}
	return bootstrap.CloudConfig(public), nil
}

// protectedSettings returns the settings of the extension: on Linux a script, and on Windows, whose
// extension has no such setting, a command that runs the customData. The join is a
// [bootstrap.Join].
func (f files) protectedSettings(m plan.Machine, join pulumi.Output) pulumi.Map {
	text := pulumi.All(f.payloadKey(m), join, f.addresses, f.ca, f.endpoint).ApplyT(func(values []any) (string, error) {
		cluster := f.at(values[2:])
		key := values[0].(bootstrap.PayloadKey)
		secret, err := bootstrap.SecretFiles(cluster, m.Name, values[1].(bootstrap.Join))
		if err != nil {
			return "", err
		}
		if !m.Pool.Platform.IsWindows() {
			return base64.StdEncoding.EncodeToString([]byte(bootstrap.LinuxScript(secret, key))), nil
		}
		script, err := customData(cluster, m, key)
		if err != nil {
			return "", err
		}
		return bootstrap.WindowsCommand(script, secret, key)
	})
	if m.Pool.Platform.IsWindows() {
		return pulumi.Map{"commandToExecute": pulumi.ToSecret(text)}
	}
	return pulumi.Map{"script": pulumi.ToSecret(text)}
}

// at returns the cluster with addresses, certificate and endpoint, in this order.
func (f files) at(known []any) bootstrap.Cluster {
	addresses := map[string]netip.Addr{}
	for name, text := range known[0].(map[string]string) {
		// An invalid address is left out: the cluster then reports that the machine is not among
		// its nodes.
		if address, err := netip.ParseAddr(text); err == nil {
			addresses[name] = address
		}
	}
	cluster := f.cluster(addresses)
	cluster.CACertificate, cluster.Endpoint = known[1].(string), known[2].(string)
	return cluster
}
