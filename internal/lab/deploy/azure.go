package deploy

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// Azure is the simulated Azure that a stack makes its cluster in.
type Azure struct {
	// Dir is the folder of Azure's state.
	Dir string
	// Commands are the plugins that take the place of Azure's, and az.
	Commands []tools.Command
	// Proxy starts what connects the commands of Pulumi to simulated machines, and says
	// at which URL; it runs until it is stopped. nil if there are none.
	Proxy func(context.Context) (url string, stop func(), err error)
	// Environ is what else the commands find in their environment, NAME=VALUE.
	Environ []string
}

// links are the commands by the places in the stack's folder where Pulumi and the
// program look for them.
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

// environ is what the plugins and az need to know. There is no other kubeconfig than
// the one that Azure answers: a resource that is not told its cluster has none.
func (a *Azure) environ(s Stack) []string {
	return append([]string{
		"KUBECONFIG=" + filepath.Join(s.Dir, "no-kubeconfig"),
		"PATH=" + filepath.Join(s.Dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH"),
		armclient.DirVariable + "=" + a.Dir,
		armclient.KubeconfigVariable + "=" + s.Kubeconfig,
	}, a.Environ...)
}

// startProxy starts the proxy for a command, and gives what the command's environment
// needs for it. The proxy knows which hosts are whose, so it is for all but this machine:
// the user's own exceptions are for what the user reaches, and might be everything.
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
