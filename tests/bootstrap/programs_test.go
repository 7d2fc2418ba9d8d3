package bootstrap

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/mixedkube/mixedkube/internal/lab/nodebinaries"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/internal/lab/wine"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

var windowsPrograms = flag.Bool("windows-programs", false,
	"have the programs of Windows nodes judge, under Wine; they are built first, which takes minutes and gigabytes")

// windowsBinaries are the programs of Windows nodes, and the machine that runs them.
type windowsBinaries struct {
	wine wine.Wine
	// dir has kubeadm.exe and the others.
	dir string
}

// setUp is done once for all tests.
var setUp struct {
	sync.Mutex
	programs windowsBinaries
	err      error
	done     bool
}

// ensurePrograms skips the test where they cannot be had.
func ensurePrograms(t *testing.T) windowsBinaries {
	t.Helper()
	if !*windowsPrograms {
		t.Skip("only with make windows-programs")
	}
	setUp.Lock()
	defer setUp.Unlock()
	if !setUp.done {
		setUp.programs, setUp.err = buildPrograms(t)
		setUp.done = true
	}
	if unavailable, ok := errors.AsType[wine.UnavailableError](setUp.err); ok {
		t.Skipf("needs Wine: %s", unavailable.Reason)
	}
	check(t, setUp.err)
	return setUp.programs
}

// buildPrograms puts the programs into the tool cache, in the versions of the lab's control
// plane and of the release of containerd that nodes get.
func buildPrograms(t *testing.T) (windowsBinaries, error) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return windowsBinaries{}, err
	}
	cache, err := tools.FromRoot(root, os.Stdout)
	if err != nil {
		return windowsBinaries{}, err
	}
	w, err := wine.Ensure(t.Context(), filepath.Join(cache.Dir, "wine"), os.Stdout)
	if err != nil {
		return windowsBinaries{}, err
	}
	kubernetes, err := cache.Pinned("kubeadm")
	if err != nil {
		return windowsBinaries{}, err
	}
	containerd := bootstrap.KnownReleases().Containerd.Version
	at := filepath.Join(cache.Dir, "windows-programs", kubernetes+"-containerd-"+containerd)
	if _, err := os.Stat(at); err == nil {
		return windowsBinaries{w, at}, nil
	}
	scratch := at + ".building"
	options := nodebinaries.Options{Version: kubernetes, Dir: scratch, Out: os.Stdout}
	if err := nodebinaries.Build(t.Context(), options); err != nil {
		return windowsBinaries{}, err
	}
	options.Version = containerd
	if err := nodebinaries.BuildContainerd(t.Context(), options); err != nil {
		return windowsBinaries{}, err
	}
	return windowsBinaries{w, at}, os.Rename(scratch, at)
}

// windowsMachine has the files of a node and the programs, where the node has them.
func windowsMachine(t *testing.T, p windowsBinaries, n node) wine.Machine {
	t.Helper()
	m, err := p.wine.Machine(t.TempDir())
	check(t, err)
	t.Cleanup(m.End)
	for _, f := range n.files {
		check(t, m.Write(f.Path, f.Content))
	}
	for _, name := range []string{"kubeadm", "kubelet", "kube-proxy"} {
		check(t, m.Link("C:/k/"+name+".exe", filepath.Join(p.dir, name+".exe")))
	}
	check(t, m.Link("C:/Program Files/containerd/containerd.exe", filepath.Join(p.dir, "containerd.exe")))
	return m
}

// output returns what a program prints, and whether it has ended with status 0.
func output(t *testing.T, m wine.Machine, program string, args ...string) (stdout, all string, ok bool) {
	t.Helper()
	var out, both bytes.Buffer
	cmd := m.Command(t.Context(), program, args...)
	cmd.Stdout, cmd.Stderr = &out, &both
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), withoutFlags(both.String() + out.String()), err == nil
}

// withoutFlags leaves out the values of all flags, which Kubernetes' programs print.
func withoutFlags(printed string) string {
	var message strings.Builder
	for line := range strings.Lines(printed) {
		if !strings.Contains(line, "] FLAG: --") {
			message.WriteString(strings.ReplaceAll(line, "\r", ""))
		}
	}
	return message.String()
}

// windowsNodes returns the Windows nodes of all clusters of nodes.
func windowsNodes(t *testing.T) []node {
	t.Helper()
	var windows []node
	for _, n := range nodes(t) {
		if n.windows {
			windows = append(windows, n)
		}
	}
	return windows
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ignoreExists(_ any, err error) error {
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

func readFile(t *testing.T, m wine.Machine, file string) string {
	t.Helper()
	content, err := os.ReadFile(m.Path(file))
	check(t, err)
	return string(content)
}
