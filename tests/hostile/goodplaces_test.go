package hostile

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// goodPlaces are the usual places of good files.
var goodPlaces = []struct {
	name string
	lay  func(t *testing.T, m machine, all []good) run
}{
	{"a directory", func(t *testing.T, m machine, all []good) run {
		t.Helper()
		m.files(t, "deploy", all)
		return checked("deploy")
	}},
	{"files", func(t *testing.T, m machine, all []good) run {
		t.Helper()
		return checked(m.files(t, "deploy", all)...)
	}},
	{"files by their absolute paths", func(t *testing.T, m machine, all []good) run {
		t.Helper()
		var paths []string
		for _, path := range m.files(t, "deploy", all) {
			paths = append(paths, m.at(path))
		}
		return checked(paths...)
	}},
	{"standard input", func(_ *testing.T, _ machine, all []good) run {
		command := checked("-")
		command.stdin = strings.NewReader(stream(all))
		return command
	}},
	{"the device of standard input", func(_ *testing.T, _ machine, all []good) run {
		command := checked("/dev/stdin")
		command.stdin = strings.NewReader(stream(all))
		return command
	}},
	{"a pipe of a shell", func(t *testing.T, _ machine, all []good) run {
		t.Helper()
		reader, writer, err := os.Pipe()
		must(t, err)
		go func() {
			_, _ = io.WriteString(writer, stream(all))
			_ = writer.Close()
		}()
		t.Cleanup(func() { _ = reader.Close() })
		command := checked("/dev/fd/3")
		command.files = []*os.File{reader}
		return command
	}},
	{"relative links inside of the repository", func(t *testing.T, m machine, all []good) run {
		t.Helper()
		for _, path := range m.files(t, "base", all) {
			link(t, "../../"+path, m.at("deploy/overlay/"+filepath.Base(path)))
		}
		return checked("deploy")
	}},
	{"absolute links inside of the repository", func(t *testing.T, m machine, all []good) run {
		t.Helper()
		for _, path := range m.files(t, "base", all) {
			link(t, m.at(path), m.at("deploy/"+filepath.Base(path)))
		}
		return checked("deploy")
	}},
	{"links inside of a named directory without a repository", func(t *testing.T, m machine, all []good) run {
		t.Helper()
		must(t, os.RemoveAll(m.at(".git")))
		for _, path := range m.files(t, "deploy/.base", all) {
			link(t, ".base/"+filepath.Base(path), m.at("deploy/"+filepath.Base(path)))
		}
		return checked("deploy")
	}},
	{"a ConfigMap in a pod", func(t *testing.T, m machine, all []good) run {
		t.Helper()
		must(t, os.RemoveAll(m.at(".git")))
		for _, path := range m.files(t, "deploy/..2026_11_29_10_00_00.123", all) {
			link(t, "..data/"+filepath.Base(path), m.at("deploy/"+filepath.Base(path)))
		}
		link(t, "..2026_11_29_10_00_00.123", m.at("deploy/..data"))
		return checked("deploy")
	}},
	{"a repository that a link leads to", func(t *testing.T, m machine, all []good) run {
		t.Helper()
		m.files(t, "deploy", all)
		link(t, m.checkout, filepath.Join(m.base, "home/link"))
		command := checked("deploy")
		command.dir = filepath.Join(m.base, "home/link")
		return command
	}},
	{"a path through a link to the repository", func(t *testing.T, m machine, all []good) run {
		t.Helper()
		for _, path := range m.files(t, "base", all) {
			link(t, "../"+path, m.at("deploy/"+filepath.Base(path)))
		}
		link(t, m.checkout, filepath.Join(m.base, "home/link"))
		command := checked(filepath.Join(m.base, "home/link/deploy"))
		command.dir = filepath.Join(m.base, "home")
		return command
	}},
	{"a repository of another user", func(t *testing.T, m machine, all []good) run {
		t.Helper()
		for _, path := range m.files(t, "base", all) {
			link(t, "../"+path, m.at("deploy/"+filepath.Base(path)))
		}
		m.toNobody(t)
		return checked("deploy")
	}},
	{"a directory above the working directory", func(t *testing.T, m machine, all []good) run {
		t.Helper()
		m.files(t, "deploy", all)
		write(t, m.at("ci/job/run.sh"), "")
		command := checked("../../deploy")
		command.dir = m.at("ci/job")
		return command
	}},
	{"a directory with a configuration and ignored files", func(t *testing.T, m machine, all []good) run {
		t.Helper()
		m.files(t, "deploy", all)
		write(t, m.at(".mixedkube.yaml"), "exclude: [/deploy/samples/]\n")
		write(t, m.at("deploy/.mixedkubeignore"), "*.tmpl.yaml\n!good-*.yaml\n")
		write(t, m.at("deploy/samples/a.yaml"), manifest("a"))
		write(t, m.at("deploy/sub/a.tmpl.yaml"), "{{ a }}\n")
		write(t, m.at("ci/run.sh"), "")
		command := checked("../deploy")
		command.dir = m.at("ci")
		return command
	}},
	{"a worktree of git", func(t *testing.T, m machine, all []good) run {
		t.Helper()
		for _, path := range m.files(t, "base", all) {
			link(t, "../"+path, m.at("deploy/"+filepath.Base(path)))
		}
		must(t, os.RemoveAll(m.at(".git")))
		write(t, m.at(".git"), "gitdir: "+filepath.Join(m.base, "home/.git/worktrees/checkout")+"\n")
		return checked("deploy")
	}},
	{"links to a directory that the user allows", func(t *testing.T, m machine, all []good) run {
		t.Helper()
		for _, path := range m.files(t, "../shared", all) {
			link(t, m.at(path), m.at("deploy/"+filepath.Base(path)))
		}
		return checked("--allow-links", filepath.Join(m.base, "shared"), "deploy")
	}},
}

// checked returns a check of paths. Flags may precede them.
func checked(args ...string) run {
	return run{args: append([]string{"check", "--format", "json"}, args...)}
}

// files writes good files into a directory of the checkout, and returns their paths.
func (m machine) files(t *testing.T, dir string, all []good) []string {
	t.Helper()
	var paths []string
	for i, g := range all {
		name, text := encoded(t, i, g)
		paths = append(paths, filepath.Join(dir, name))
		write(t, m.at(filepath.Join(dir, name)), text)
	}
	return paths
}

// toNobody makes the checkout the one of another user, as it is in a container. Only root can do that.
func (m machine) toNobody(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root: run the tests as root")
	}
	const nobody = 65534
	must(t, filepath.WalkDir(m.checkout, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	}))
}
