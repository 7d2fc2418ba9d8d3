package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
)

// joining is what the command line of join says.
type joining struct {
	cluster, out, network, hashes, token, caHash string
}

func newJoin(in *input) *cobra.Command {
	var j joining
	cmd := &cobra.Command{
		Use:   "join [flags] FILE",
		Short: "Write the files that turn machines into a cluster with Linux and Windows nodes",
		Long: `Write the files that turn existing machines, virtual or physical, into a cluster with Linux and
Windows nodes, and the order of the steps. FILE is a YAML file that describes the cluster: its
topology, its network and its nodes; - is standard input.

Run it twice: before there is a control plane, and with --ca-hash for the other nodes.

The exit code is 0 if the files are written, 1 if something is wrong with what is given, and 2 if
the command line is wrong.`,
		Example: `  mixedkube join --token-file token --hashes hashes machines.yaml
  mixedkube join --token-file token --hashes hashes --ca-hash sha256:... machines.yaml`,
		Args: func(_ *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return errors.New("nothing to join: name the file with the cluster, or - for standard input")
			case 1:
				return nil
			default:
				return fmt.Errorf("unexpected argument %q: name one file", args[1])
			}
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			j.cluster = args[0]
			if err := j.run(in, cmd.OutOrStdout()); err != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "error: %v\n", err)
				return failed
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&j.out, "out", "nodes", "the `folder` to write")
	flags.StringVar(&j.network, "network", "", "the `kind` of the pods' network, in place of the file's")
	flags.StringVar(&j.hashes, "hashes", "",
		"a `file` with the hashes of downloads that are not known, as sha256sum prints them")
	flags.StringVar(&j.token, "token-file", "", "a `file` with the bootstrap token")
	flags.StringVar(&j.caHash, "ca-hash", "", "the `hash` of the cluster's certificate authority, once there is one")
	return cmd
}

// run writes the files of all nodes, or of those that can be made yet, and the order.
func (j joining) run(in *input, stdout io.Writer) error {
	described, join, err := j.read(in)
	if err != nil {
		return err
	}
	c := described.WithDefaults()
	plan, err := c.Plan()
	if err != nil {
		return err
	}
	// All of them first: half of a cluster would be of no use.
	files := map[string][]bootstrap.File{}
	for _, node := range c.Nodes {
		if j.caHash == "" && !node.ControlPlane {
			continue
		}
		if files[node.Name], err = bootstrap.NodeFiles(described, node.Name, join); err != nil {
			return err
		}
	}
	written := map[string]string{}
	for name, files := range files {
		if written[name], err = writeNode(filepath.Join(j.out, name), files); err != nil {
			return err
		}
	}
	agents, err := writeAgents(c.Network, c.Endpoint, j.out)
	if err != nil {
		return err
	}
	order := order(c, plan, written, agents)
	if err := os.WriteFile(filepath.Join(j.out, "ORDER.md"), []byte(order), 0o600); err != nil {
		return err
	}
	_, err = io.WriteString(stdout, order)
	return err
}

// read reads the files of the command line.
func (j joining) read(in *input) (bootstrap.Cluster, bootstrap.Join, error) {
	var join bootstrap.Join
	c, err := in.cluster(j.cluster)
	if err != nil {
		return c, join, err
	}
	if j.network != "" {
		c.Network.Kind = network.Kind(j.network)
	}
	c.Releases = bootstrap.KnownReleases()
	if j.hashes != "" {
		text, err := in.text(j.hashes)
		if err != nil {
			return c, join, err
		}
		if c.Releases, err = withHashes(c.Releases, text); err != nil {
			return c, join, fmt.Errorf("the hashes in %s: %w", shown(j.hashes), err)
		}
	}
	if j.token != "" {
		text, err := in.text(j.token)
		if err != nil {
			return c, join, err
		}
		join.Token = strings.TrimSpace(text)
	}
	if j.caHash != "" {
		join.CACertHashes = []string{j.caHash}
	}
	return c, join, nil
}

// writeNode writes what a machine gets into a folder of its own, for its owner's eyes
// only: the token is in it. It returns the name of the file.
func writeNode(dir string, files []bootstrap.File) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	name, content := "user-data", bootstrap.CloudConfig(files)
	if strings.HasPrefix(files[0].Path, "C:/") {
		name, content = "join.ps1", bootstrap.WindowsScript(files)
	}
	return name, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600)
}
