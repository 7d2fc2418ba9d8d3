package deploy

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// Azure is the simulated Azure that a stack creates its cluster in.
type Azure struct {
	// Dir is the directory of Azure's state.
	Dir string
	// Commands are az and the plugins that replace Azure's.
	Commands []tools.Command
	// Proxy starts a proxy that connects Pulumi's commands to simulated machines, and returns
	// its URL. The proxy runs until stop is called. Proxy is nil if there are no machines.
	Proxy func(context.Context) (url string, stop func(), err error)
	// Environ has further variables for the environment of the commands, NAME=VALUE.
	Environ []string
}

// links maps the paths in the stack's directory where Pulumi and the program look for
// commands to the commands.
func (a *Azure) links() map[string]string {
	links := map[string]string{}
	for _, c := range a.Commands {
		place := filepath.Join("bin", c.Name)
		if c.Version != "" {
			place = pluginPlace(c.Name, c.Version)
		}
		links[place] = c.Path
	}
	return links
}

// environ returns the environment of the plugins and of az. Its only kubeconfig is the one that
// Azure returns: a resource that does not name its cluster has no kubeconfig.
func (a *Azure) environ(s Stack) []string {
	return append([]string{
		"KUBECONFIG=" + filepath.Join(s.Dir, "no-kubeconfig"),
		"PATH=" + filepath.Join(s.Dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH"),
		armclient.DirVariable + "=" + a.Dir,
		armclient.KubeconfigVariable + "=" + s.Kubeconfig,
	}, a.Environ...)
}

// startProxy starts the proxy for a command, and returns the variables that the command's environment
// needs for it. The proxy distinguishes simulated hosts from others, so the command uses it for all hosts except
// this machine. The user's own exceptions do not apply: they might cover every host.
func (a *Azure) startProxy(ctx context.Context) (environ []string, stop func(), err error) {
	if a == nil || a.Proxy == nil {
		return nil, func() {}, nil
	}
	url, stop, err := a.Proxy(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("start the proxy to the simulated machines: %w", err)
	}
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		environ = append(environ, name+"="+url)
	}
	const own = "localhost,127.0.0.0/8,::1"
	return append(environ, "NO_PROXY="+own, "no_proxy="+own), stop, nil
}
