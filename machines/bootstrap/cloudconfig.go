package bootstrap

import (
	"encoding/base64"
	"strings"

	"gopkg.in/yaml.v3"
)

// CloudConfig returns a document for cloud-init that writes the files of a Linux node and
// starts its bootstrap (https://cloudinit.readthedocs.io/en/latest/reference/modules.html).
// If one of the files is for nft, it installs the package nftables first.
//
// It contains all of the files, including secret ones. Do not put those into the customData of
// a virtual machine: many clouds show it to anyone who may read the machine's description, and
// cloud-init leaves copies on the disk. Give it the [PublicFiles] and the file of a [PayloadKey], and
// bring the [SecretFiles] onto the machine in another way, as [LinuxScript] does: rename each
// into its place, the configuration of kubeadm last. The bootstrap prepares the machine, waits
// for that and continues by itself.
func CloudConfig(files []File) string {
	config := cloudConfig{
		RunCmd: [][]string{
			{"systemctl", "daemon-reload"},
			{"systemctl", "enable", "mixedkube-bootstrap.service", "mixedkube-bootstrap.path"},
			// Without waiting: cloud-init has more to do.
			{"systemctl", "start", "--no-block", "mixedkube-bootstrap.service", "mixedkube-bootstrap.path"},
		},
	}
	for _, file := range files {
		if file.Path == masqueradeNFT || file.Path == egressNFT {
			config.Packages = []string{nftPackage}
		}
		config.WriteFiles = append(config.WriteFiles, writeFileOf(file))
	}
	return "#cloud-config\n" + yamlDocuments(config)
}

// nftPackage has the program nft, which images for clouds may lack, in Debian, Ubuntu,
// Fedora, Red Hat Enterprise Linux and SUSE.
const nftPackage = "nftables"

type cloudConfig struct {
	// Packages are installed before the commands are run.
	Packages   []string    `yaml:"packages,omitempty"`
	WriteFiles []writeFile `yaml:"write_files,omitempty"`
	RunCmd     [][]string  `yaml:"runcmd"`
}

type writeFile struct {
	Path  string `yaml:"path"`
	Owner string `yaml:"owner"`
	// Permissions are quoted: without, they would be a number.
	Permissions yaml.Node `yaml:"permissions"`
	Encoding    string    `yaml:"encoding,omitempty"`
	Content     yaml.Node `yaml:"content"`
}

func writeFileOf(file File) writeFile {
	written := writeFile{
		Path: file.Path, Owner: "root:root",
		Permissions: text(permissions(file), yaml.SingleQuotedStyle),
	}
	if isPlainText(file.Content) {
		written.Content = text(file.Content, yaml.LiteralStyle)
	} else {
		written.Encoding = "b64"
		written.Content = text(base64.StdEncoding.EncodeToString([]byte(file.Content)), yaml.DoubleQuotedStyle)
	}
	return written
}

func permissions(file File) string {
	switch {
	case file.Secret && file.Executable:
		return "0700"
	case file.Secret:
		return "0600"
	case file.Executable:
		return "0755"
	default:
		return "0644"
	}
}

func text(value string, style yaml.Style) yaml.Node {
	return yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Style: style}
}

// isPlainText reports whether every reader of YAML takes a block of the text for the same:
// versions of YAML differ in what they count as a line break, or as white space, and in
// blocks that begin or end with it.
func isPlainText(s string) bool {
	if !strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\n\n") || strings.ContainsAny(s[:1], " \t\n") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && (r < ' ' || r > '~') })
}
