package network

import "fmt"

// antreaTunnel is Antrea's default, and what both systems have: the
// kernels of Linux have no STT.
const antreaTunnel = "geneve"

// AntreaConfig is what antrea-agent.conf has to say in the ConfigMaps of Antrea's
// manifests, antrea.yml for Linux and antrea-windows-with-ovs.yml (or antrea-windows.yml)
// for Windows. All else may keep its default.
type AntreaConfig struct {
	Linux, Windows map[string]any
}

// AntreaConfig returns the configuration of Antrea's agents. The tunnel has to be the same on
// all nodes. On Windows the agent does the work of kube-proxy as well, which must not
// run there, so it needs the address of the API server; Linux nodes keep kube-proxy.
// Source: https://github.com/antrea-io/antrea/blob/main/docs/windows.md.
//
// The endpoint is the API server's, host:port. It is an error if it is not, and for the
// other kinds.
func (n Defaulted) AntreaConfig(endpoint string) (AntreaConfig, error) {
	if n.Kind != Antrea {
		return AntreaConfig{}, fmt.Errorf("kind %s has no Antrea: use %s", n.Kind, Antrea)
	}
	if !IsEndpoint(endpoint) {
		return AntreaConfig{}, endpointError(endpoint)
	}
	return AntreaConfig{
		Linux: map[string]any{
			"trafficEncapMode": "encap",
			"tunnelType":       antreaTunnel,
		},
		Windows: map[string]any{
			"trafficEncapMode":      "encap",
			"tunnelType":            antreaTunnel,
			"antreaProxy":           map[string]any{"proxyAll": true},
			"kubeAPIServerOverride": "https://" + endpoint,
		},
	}, nil
}
