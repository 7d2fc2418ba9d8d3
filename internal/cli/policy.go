package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/policy"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

func newPolicy(in *input) *cobra.Command {
	return group(&cobra.Command{
		Use:   "policy",
		Short: "Check Pulumi programs in any language, as a policy pack",
		Long: `Check Pulumi programs in any language with the rules of mixedkube, as a policy pack of Pulumi: every
rule is a policy with the rule's ID, and the findings are the same as with the guard of a Go program.

Pulumi's engine runs this program as the pack. docs/guard.md explains its configuration.`,
		Example: `  mixedkube policy new --topology cluster.yaml policy
  pulumi preview --policy-pack policy`,
	}, newPolicyNew(in), newPolicyServe())
}

func newPolicyServe() *cobra.Command {
	return &cobra.Command{
		Use:    "serve ENGINE [DIRECTORY]",
		Hidden: true,
		Short:  "Serve the policy pack to Pulumi's engine",
		Long: `Serve the policy pack to Pulumi's engine, which runs this program as ` + policy.Program + `.

The exit code is 0 when the engine ends, or 2 if the pack cannot be served, or the command line is wrong.`,
		Example: "  mixedkube policy serve 127.0.0.1:40000 .",
		Args:    cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := os.Getwd()
			if err != nil {
				return err
			}
			info, _ := debug.ReadBuildInfo()
			return policy.Serve(cmd.Context(), packVersion(version(info)), dir, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}

var release = regexp.MustCompile(`^v(\d+\.\d+\.\d+(?:[-+].*)?)$`)

// unreleased is the version of a pack that was built without a version: Pulumi accepts only semantic versions.
const unreleased = "0.0.0"

// packVersion returns the version of the module as a semantic version, which Pulumi needs.
func packVersion(module string) string {
	if match := release.FindStringSubmatch(module); match != nil {
		return match[1]
	}
	return unreleased
}

// packing has the flags and arguments of policy new.
type packing struct {
	dir, topology string
}

func newPolicyNew(in *input) *cobra.Command {
	var p packing
	cmd := &cobra.Command{
		Use:   "new [flags] DIR",
		Short: "Write a policy pack for pulumi preview --policy-pack DIR",
		Long: `Write a policy pack for pulumi preview --policy-pack DIR: PulumiPolicy.yaml, the topology of the
cluster if --topology is set, and the program of the pack. The program is mixedkube itself, under the
name that Pulumi expects, ` + policy.Program + `, with a .gitignore for it; it is not
written if it is on PATH already.

The exit code is 0, or 2 if a file cannot be read or written, or the command line is wrong. The
command does not overwrite files.`,
		Example: `  mixedkube policy new policy
  mixedkube policy new --topology cluster.yaml policy`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("DIR: name the directory of the policy pack")
			}
			if len(args) > 1 {
				return fmt.Errorf("%s: unexpected argument: name one directory", args[1])
			}
			p.dir = args[0]
			return p.run(in, cmd.OutOrStdout())
		},
	}
	topologyFlag(cmd, &p.topology)
	in.linksFlag(cmd)
	return cmd
}

func (p packing) run(in *input, stdout io.Writer) error {
	files := map[string]string{policy.ProjectFile: policy.Project}
	if p.topology != "" {
		text, err := in.text(p.topology)
		if err != nil {
			return err
		}
		if _, err = manifests.DecodeTopology(strings.NewReader(text), shown(p.topology)); err != nil {
			return err
		}
		files[policy.TopologyFile] = text
	}
	program := policy.Program
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	_, err := exec.LookPath(program)
	alone := err != nil
	if alone {
		files[".gitignore"] = "/" + program + "\n"
	}
	names := slices.Sorted(maps.Keys(files))
	if alone {
		names = append(names, program)
	}
	var existing []error
	for _, name := range names {
		if disk.Exists(filepath.Join(p.dir, name)) {
			existing = append(existing, fmt.Errorf("%s: exists already: name another directory",
				filepath.ToSlash(filepath.Join(p.dir, name))))
		}
	}
	if len(existing) > 0 {
		return errors.Join(existing...)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		if err := disk.Replace(filepath.Join(p.dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	dir := filepath.ToSlash(p.dir)
	if alone {
		if err := disk.LinkProgram(filepath.Join(p.dir, program)); err != nil {
			return err
		}
		info, _ := debug.ReadBuildInfo()
		// Not on PATH: anyone who can change the repository could add other programs to the directory.
		printText(stdout, fmt.Sprintf("%s is a policy pack. Install its program as a plugin of Pulumi, and use it:\n"+
			"  pulumi plugin install analyzer policy-mixedkube %s --file %s/%s\n", dir,
			packVersion(version(info)), dir, program))
	} else {
		printText(stdout, fmt.Sprintf("%s is a policy pack, whose program is on PATH. Use it:\n", dir))
	}
	printText(stdout, fmt.Sprintf("  pulumi preview --policy-pack %s\n", dir))
	return nil
}
