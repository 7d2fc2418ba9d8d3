package deploy

import (
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/lab/armclient"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// Azure is the simulated Azure that a stack makes its cluster in.
type Azure struct {
	// Dir is the folder of Azure's state.
	Dir string
	// Commands are the plugins that take the place of Azure's, and az.
	Commands []tools.Command
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
	return []string{
		"KUBECONFIG=" + filepath.Join(s.Dir, "no-kubeconfig"),
		"PATH=" + filepath.Join(s.Dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH"),
		armclient.DirVariable + "=" + a.Dir,
		armclient.KubeconfigVariable + "=" + s.Kubeconfig,
	}
}
