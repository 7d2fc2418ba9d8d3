package nodebinaries

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// Programs are what is built.
var Programs = []string{"kubeadm", "kube-proxy", "kubectl", "kubelet"}

// Options are the choices of [Build].
type Options struct {
	// Version is the version of Kubernetes, 1.36.3 with or without a v.
	Version string
	// Dir is the directory for the programs, <name>.exe.
	Dir string
	// Out gets the progress.
	Out io.Writer
}

// Build builds the programs for windows/amd64 and prints their SHA-256. Go downloads the
// source as modules, and verifies them like all modules.
func Build(ctx context.Context, o Options) error {
	version := "v" + strings.TrimPrefix(o.Version, "v")
	if !versionFormat.MatchString(version) {
		_, err := module(version, nil)
		return err
	}
	packages := make([]string, len(Programs))
	for i, p := range Programs {
		packages[i] = kubernetes + "/cmd/" + p
	}
	return recipe{
		name: "Kubernetes", module: kubernetes, version: version, requires: module,
		flags: stamps(version), packages: packages, programs: Programs,
	}.build(ctx, o)
}

// recipe describes how programs are built from a module.
type recipe struct {
	name, module, version string
	// requires generates the go.mod of the build from the go.mod of the module.
	requires func(version string, upstream []byte) ([]byte, error)
	// flags are additional flags of the linker.
	flags              string
	packages, programs []string
}

// build builds programs into the directory of the options, and prints their SHA-256.
func (r recipe) build(ctx context.Context, o Options) error {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return err
	}
	source, err := os.MkdirTemp("", "node-binaries-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(source) }()
	upstream, err := download(ctx, source, r.module, r.version)
	if err != nil {
		return err
	}
	file, err := r.requires(r.version, upstream)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(source, "go.mod"), file, 0o600); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // programs are for everyone
		return err
	}
	fmt.Fprintf(o.Out, "building %s %s for Windows nodes, which takes minutes the first time\n", r.name, r.version)
	if err := compile(ctx, source, dir, r.flags, r.packages...); err != nil {
		return err
	}
	return printSums(o.Out, dir, r.programs)
}

// compile builds packages of the module in source into the directory dir, with additional flags of
// the linker.
func compile(ctx context.Context, source, dir, flags string, packages ...string) error {
	_, err := run(ctx, source, append([]string{
		"build", "-mod=mod", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w " + flags, "-o",
		dir + string(filepath.Separator),
	}, packages...)...)
	return err
}

func printSums(out io.Writer, dir string, programs []string) error {
	for _, p := range programs {
		content, err := os.ReadFile(filepath.Join(dir, p+".exe"))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%x  %s.exe\n", sha256.Sum256(content), p)
	}
	return nil
}

// download returns the go.mod of a version of a module.
func download(ctx context.Context, dir, module, version string) ([]byte, error) {
	out, err := run(ctx, dir, "mod", "download", "-json", module+"@"+version)
	var found struct{ GoMod, Error string }
	if json.Unmarshal(out, &found) == nil && found.Error != "" {
		return nil, errors.New(found.Error)
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(found.GoMod)
}

// stamps returns the linker flags that set the programs' version.
func stamps(version string) string {
	var flags []string
	for _, stamp := range tools.KubernetesStamps(version) {
		flags = append(flags, "-X "+stamp)
	}
	return strings.Join(flags, " ")
}

func run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	cmd.Env = append(os.Environ(), "PWD="+dir, "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off",
		"GOFLAGS=")
	if err := cmd.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("go %s: %w\n%s", args[0], err, errs.String())
	}
	return out.Bytes(), nil
}
