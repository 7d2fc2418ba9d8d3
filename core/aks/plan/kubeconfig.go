package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// execCredential is the command that gets a token, as kubelogin convert-kubeconfig writes it.
type execCredential struct {
	APIVersion  string   `yaml:"apiVersion"`
	Command     string   `yaml:"command"`
	Args        []string `yaml:"args"`
	InstallHint string   `yaml:"installHint,omitempty"`
}

// Kubeconfig converts a kubeconfig from Azure to the login mode. It does the same as `kubelogin convert-kubeconfig -l
// MODE`: it rewrites the command for the mode, with the flags of Azure's command that the mode needs, and removes all
// other flags. Users that sign in without kubelogin, for example with a certificate, do not change. If no user uses
// kubelogin, the text is the same.
//
// No flag has a secret: kubelogin reads secrets from the environment. No error shows a part of the kubeconfig.
func (l Login) Kubeconfig(kubeconfig []byte) ([]byte, error) {
	if l.Mode == LoginAdmin {
		return kubeconfig, nil
	}
	l.Mode = cmp.Or(l.Mode, defaultLogin)
	m, ok := modes[l.Mode]
	if !ok {
		return nil, fmt.Errorf("%q is not a login mode of kubelogin", l.Mode)
	}
	var document yaml.Node
	if yaml.Unmarshal(kubeconfig, &document) != nil || len(document.Content) != 1 {
		return nil, errors.New("the kubeconfig is not a YAML document")
	}
	converted := false
	users := entry(document.Content[0], "users")
	if users == nil {
		return kubeconfig, nil
	}
	for _, user := range users.Content {
		node := entry(entry(user, "user"), "exec")
		var old execCredential
		if node == nil || node.Decode(&old) != nil || !strings.Contains(strings.ToLower(old.Command), "kubelogin") {
			continue
		}
		args, err := l.args(m, old.Args)
		if err != nil {
			return nil, err
		}
		converted = true
		err = node.Encode(execCredential{
			APIVersion: "client.authentication.k8s.io/v1beta1", Command: "kubelogin", Args: args,
			InstallHint: old.InstallHint,
		})
		if err != nil {
			return nil, errors.New("the kubeconfig cannot be written")
		}
	}
	if !converted {
		return kubeconfig, nil
	}
	return yaml.Marshal(&document)
}

// args returns the arguments of kubelogin, from the old arguments in Azure's kubeconfig.
func (l Login) args(m mode, old []string) ([]string, error) {
	server := flagValue(old, serverID)
	if server == "" {
		return nil, missing(serverID)
	}
	args := []string{getToken, login, string(l.Mode), serverID, server}
	for _, s := range l.flags() {
		if !slices.Contains(m.settings, s.flag) {
			continue
		}
		if slices.Contains(m.retained, s.flag) && s.value == "" {
			if s.value = flagValue(old, s.flag); s.value == "" {
				return nil, missing(s.flag)
			}
		}
		if s.value != "" {
			args = append(args, s.flag, s.value)
		}
	}
	if cloud := flagValue(old, environment); m.environment && cloud != "" {
		args = append(args, environment, cloud)
	}
	if m.legacy && slices.Contains(old, legacy) {
		args = append(args, legacy)
	}
	if l.UseAzureRMEnvVars && slices.Contains(m.settings, armVars) {
		args = append(args, armVars)
	}
	return args, nil
}

func missing(flag string) error {
	return fmt.Errorf("the kubelogin command of the kubeconfig has no %s", flag)
}

// flagValue returns the argument that follows a flag.
func flagValue(args []string, flag string) string {
	if i := slices.Index(args, flag); i >= 0 && i+1 < len(args) {
		return args[i+1]
	}
	return ""
}

// entry returns the value of a key of a mapping, or nil if there is none.
func entry(mapping *yaml.Node, key string) *yaml.Node {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}
