package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// joining has the flags and arguments of join.
type joining struct {
	cluster, out, network, hashes, token, caHash, ca, encryptionKey string
}

func newJoin(in *input) *cobra.Command {
	var j joining
	cmd := &cobra.Command{
		Use:   "join [flags] FILE",
		Short: "Write the files that turn machines into a cluster with Linux and Windows nodes",
		Long: `Write the files that turn existing machines, virtual or physical, into a cluster with Linux and
Windows nodes, and the order of the steps. FILE is a YAML file that describes the cluster: its
topology, its network and its nodes; - is standard input. The nodes download what mixedkube knows,
except for the files and the pause image that releases names in FILE.

Run it twice: before there is a control plane, and with --ca-file for the other nodes.

The exit code is 0 if the files are written, 1 if the description of the cluster has errors, and 2
if a file cannot be read or written, or the command line is wrong.`,
		Example: `  mixedkube join --token-file token --hashes hashes machines.yaml
  mixedkube join --token-file token --hashes hashes --ca-file ca.crt machines.yaml`,
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
				printText(cmd.ErrOrStderr(), fmt.Sprintf("error: %v\n", err))
				_, system := errors.AsType[syscall.Errno](err)
				if _, refused := errors.AsType[*disk.RefusedError](err); system || refused || errors.Is(err, errTaken) {
					return unusable
				}
				return failed
			}
			return nil
		},
	}
	in.linksFlag(cmd)
	flags := cmd.Flags()
	flags.StringVar(&j.out, "out", "nodes", "the `directory` to write")
	flags.StringVar(&j.network, "network", "", "the `kind` of the pods' network, instead of the one in the file")
	flags.StringVar(&j.hashes, "hashes", "",
		"a `file` with hashes that mixedkube does not know: each line has the SHA-256 and the address of a download")
	flags.StringVar(&j.token, "token-file", "", "a `file` with the bootstrap token, which only you can read")
	flags.StringVar(&j.ca, "ca-file", "",
		"a `file` with the certificate of the cluster's authority, once it exists: its /etc/kubernetes/pki/ca.crt")
	flags.StringVar(&j.caHash, "ca-hash", "",
		"the `hash` of that certificate instead, for a cluster with a public cluster-info")
	flags.StringVar(&j.encryptionKey, "encryption-key-file", "",
		"a `file` with the key that encrypts Secrets in etcd, from openssl rand -base64 32; further lines decrypt")
	return cmd
}

// run writes the files of all nodes, or the files that can be created before the control plane exists, and the steps.
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
	// It creates all files before it writes one: a part of a cluster would be of no use.
	files := map[string][]bootstrap.File{}
	for _, node := range c.Nodes {
		if j.caHash == "" && j.ca == "" && !node.ControlPlane {
			continue
		}
		forThis, its := forNode(described, join, node)
		if files[node.Name], err = bootstrap.NodeFiles(forThis, node.Name, its); err != nil {
			return err
		}
	}
	// Its owner could replace what is in it.
	if reason, err := in.access.OtherOwner(j.out); reason != "" {
		refusal := &disk.RefusedError{Detail: reason + ": name a directory of your own with --out"}
		return disk.Named(shown(j.out), refusal)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return disk.Named(shown(j.out), err)
	}
	written, err := j.writeNodes(files)
	if err != nil {
		return err
	}
	agents, err := writeAgents(c.Network, c.Endpoint, j.out)
	if err != nil {
		return err
	}
	order := order(c, plan, written, agents, j.encryptionKey != "")
	if err := disk.Replace(filepath.Join(j.out, "ORDER.md"), []byte(order), 0o600); err != nil {
		return err
	}
	return printEscaped(stdout, escape.Lines(order))
}

// forNode removes the data that a node must not or cannot have: kubeadm creates the certificate authority on the
// control plane.
func forNode(
	c bootstrap.Cluster, join bootstrap.Join, node bootstrap.Node,
) (bootstrap.Cluster, bootstrap.Join) {
	if node.ControlPlane {
		c.CACertificate = ""
	} else {
		join.EncryptionKeys = nil
	}
	return c, join
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
	if j.hashes != "" {
		text, err := in.text(j.hashes)
		if err != nil {
			return c, join, err
		}
		if c.Releases, err = withHashes(c.Releases.WithDefaults(), text); err != nil {
			return c, join, fmt.Errorf("the hashes in %s: %w", shown(j.hashes), err)
		}
	}
	var keys string
	for _, file := range []struct {
		path string
		into *string
		read func(path string) (string, error)
	}{{j.token, &join.Token, in.secret}, {j.encryptionKey, &keys, in.secret}, {j.ca, &c.CACertificate, in.text}} {
		if file.path == "" {
			continue
		}
		if *file.into, err = file.read(file.path); err != nil {
			return c, join, err
		}
	}
	c.CACertificate = strings.TrimSpace(c.CACertificate)
	join.EncryptionKeys = strings.Fields(keys)
	if j.caHash != "" {
		join.CACertHashes = []string{j.caHash}
	}
	return c, join, nil
}

// writeNodes writes the file of each machine into a directory that only this user can read, because the token is in it.
// It returns the names of the files.
func (j joining) writeNodes(nodes map[string][]bootstrap.File) (names map[string]string, err error) {
	names = map[string]string{}
	var errs []error
	for _, node := range slices.Sorted(maps.Keys(nodes)) {
		names[node] = "user-data"
		if isWindows(nodes[node]) {
			names[node] = "join.ps1"
		}
		errs = append(errs, disk.CheckReplaceSecret(filepath.Join(j.out, node, names[node])))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for _, node := range slices.Sorted(maps.Keys(nodes)) {
		content := bootstrap.CloudConfig
		if isWindows(nodes[node]) {
			content = bootstrap.WindowsScript
		}
		text := []byte(content(nodes[node]))
		if err := disk.ReplaceSecret(filepath.Join(j.out, node, names[node]), text); err != nil {
			return nil, err
		}
	}
	return names, nil
}

func isWindows(files []bootstrap.File) bool { return strings.HasPrefix(files[0].Path, "C:/") }
