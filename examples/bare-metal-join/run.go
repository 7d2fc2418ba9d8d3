package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
)

// options are those of the command line.
type options struct {
	out, network, hashes, token, caHash string
}

func run(args []string, stdout, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("bare-metal-join", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.out, "out", "nodes", "the `folder` to write")
	flags.StringVar(&o.network, "network", string(network.HostGateway), "the `kind` of the pods' network")
	flags.StringVar(&o.hashes, "hashes", "",
		"a `file` with the hashes of downloads that are not known, as sha256sum prints them")
	flags.StringVar(&o.token, "token-file", "", "a `file` with the bootstrap token")
	flags.StringVar(&o.caHash, "ca-hash", "", "the `hash` of the cluster's certificate authority, once there is one")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "error: unexpected argument %q\n", flags.Arg(0))
		return 2
	}
	if err := write(o, stdout); err != nil {
		fmt.Fprintf(stderr, "error: %v\n", err)
		return 1
	}
	return 0
}

// write writes the files of all nodes, or of those that can be made yet, and the order.
func write(o options, stdout io.Writer) error {
	releases, join, err := o.read()
	if err != nil {
		return err
	}
	c := cluster(network.Kind(o.network), releases).WithDefaults()
	plan, err := c.Plan()
	if err != nil {
		return err
	}
	// All of them first: half of a cluster would be of no use.
	files := map[string][]bootstrap.File{}
	for _, node := range c.Nodes {
		if o.caHash == "" && !node.ControlPlane {
			continue
		}
		if files[node.Name], err = bootstrap.NodeFiles(c.Cluster, node.Name, join); err != nil {
			return err
		}
	}
	written := map[string]string{}
	for name, files := range files {
		if written[name], err = writeNode(filepath.Join(o.out, name), files); err != nil {
			return err
		}
	}
	agents, err := writeAgents(c.Network, c.Endpoint, o.out)
	if err != nil {
		return err
	}
	order := order(c, plan, written, agents)
	if err := os.WriteFile(filepath.Join(o.out, "ORDER.md"), []byte(order), 0o600); err != nil {
		return err
	}
	_, err = io.WriteString(stdout, order)
	return err
}

// read reads what the files of the command line have.
func (o options) read() (bootstrap.Releases, bootstrap.Join, error) {
	releases := bootstrap.KnownReleases()
	var join bootstrap.Join
	if o.hashes != "" {
		text, err := os.ReadFile(o.hashes)
		if err == nil {
			releases, err = withHashes(releases, string(text))
		}
		if err != nil {
			return releases, join, fmt.Errorf("the hashes in %s: %w", o.hashes, err)
		}
	}
	if o.token != "" {
		text, err := os.ReadFile(o.token)
		if err != nil {
			return releases, join, err
		}
		join.Token = strings.TrimSpace(string(text))
	}
	if o.caHash != "" {
		join.CACertHashes = []string{o.caHash}
	}
	return releases, join, nil
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
