package machine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// fileArguments are the arguments of the API server that name a file to read. The API server does not start without
// that file.
var fileArguments = []string{
	"admission-control-config-file", "audit-policy-file", "authentication-config", "encryption-provider-config",
}

// clusterInfo is the path that a machine with CA hashes requests before it has joined.
const clusterInfo = "/api/v1/namespaces/kube-public/configmaps/cluster-info"

// authenticationConfiguration has the fields that machines/bootstrap writes
// (https://kubernetes.io/docs/reference/config-api/apiserver-config.v1/).
type authenticationConfiguration struct {
	typeMeta  `yaml:",inline"`
	JWT       any `yaml:"jwt"`
	Anonymous struct {
		Enabled    bool `yaml:"enabled"`
		Conditions []struct {
			Path string `yaml:"path"`
		} `yaml:"conditions"`
	} `yaml:"anonymous"`
}

// readAPIServer reads the part of the API server's files that machines depend on: whether anonymous users may read
// cluster-info.
func (c *configuration) readAPIServer(disk files) (clusterInfoIsOpen bool, err error) {
	authentication := ""
	for _, arg := range c.cluster.APIServer.ExtraArgs {
		if !slices.Contains(fileArguments, arg.Name) {
			continue
		}
		if _, exists := disk[arg.Value]; !exists {
			return false, fmt.Errorf("%s: %s is not on the machine", arg.Name, arg.Value)
		}
		if !c.mounts(arg.Value) {
			return false, fmt.Errorf("%s: %s is in none of the extraVolumes", arg.Name, arg.Value)
		}
		if arg.Name == "authentication-config" {
			authentication = arg.Value
		}
	}
	if authentication == "" {
		return true, nil // kubeadm's default
	}
	var config authenticationConfiguration
	kinds := map[typeMeta]any{{"apiserver.config.k8s.io/v1", "AuthenticationConfiguration"}: &config}
	if err := readDocuments(disk[authentication].content, kinds); err != nil {
		return false, fmt.Errorf("%s: %w", authentication, err)
	}
	var paths []string
	for _, condition := range config.Anonymous.Conditions {
		paths = append(paths, condition.Path)
	}
	if !config.Anonymous.Enabled {
		return false, errors.New(authentication + ": the probes of the API server are anonymous, and it would be " +
			"restarted forever")
	}
	for _, probe := range []string{"/livez", "/readyz"} {
		if len(paths) > 0 && !slices.Contains(paths, probe) {
			return false, fmt.Errorf("%s: the probes of the API server are anonymous, and %s is not among the paths",
				authentication, probe)
		}
	}
	return len(paths) == 0 || slices.Contains(paths, clusterInfo), nil
}

// mounts reports whether the container of the API server can read a file.
func (c *configuration) mounts(path string) bool {
	for _, volume := range c.cluster.APIServer.ExtraVolumes {
		if volume.HostPath == volume.MountPath && strings.HasPrefix(path, volume.HostPath+"/") {
			return true
		}
	}
	return false
}
