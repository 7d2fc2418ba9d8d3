//go:build unix

package debian

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/system/executable"
)

// aptGet offers two packages, depending on OFFERS: "machine" with the machine's own lists, "own" with
// other lists after they are updated, "gone" with the machine's own lists, but cannot download them.
const aptGet = `#!/bin/sh
echo "$*" >>"$LOG"
case "$OFFERS $*" in
machine*|gone*|"own"*Dir::State=*) ;;
*) echo "E: Unable to locate package" >&2; exit 100 ;;
esac
case "$*" in
*" update") exit ;;
*--print-uris*)
	echo "'https://example.com/a' tool_1.2-3_amd64.deb 10 SHA256:0a"
	echo "'https://example.com/b' libtool1_1_amd64.deb 20 SHA256:0b" ;;
*)
	case "$OFFERS $*" in
	gone*Dir::State=*) ;;
	gone*) echo "E: 404 Not Found" >&2; exit 100 ;;
	esac
	echo tool >tool_1.2-3_amd64.deb
	echo libtool1 >libtool1_1_amd64.deb ;;
esac
`

// dpkgDeb unpacks them.
const dpkgDeb = `#!/bin/sh
case "$2" in
*/tool_*)
	mkdir -p "$3/usr/sbin"
	printf '#!/bin/sh\necho "$LD_LIBRARY_PATH" "$@"\n' >"$3/usr/sbin/tool"
	chmod +x "$3/usr/sbin/tool" ;;
*) if [ -n "$PYTHON" ]; then
		mkdir -p "$3/usr/bin"
		printf '#!/bin/sh\necho "$PYTHONPATH" "$@"\n' >"$3/usr/bin/python3"
		chmod +x "$3/usr/bin/python3"
	fi
	[ -n "$STATIC" ] || mkdir -p "$3/usr/lib/x86_64-linux-gnu"
	if [ -n "$BELOW" ]; then
		mkdir -p "$3/usr/lib/x86_64-linux-gnu/more"
		touch "$3/usr/lib/x86_64-linux-gnu/more/liba.so.1"
	fi ;;
esac
`

var tool = Program{Name: "tool", packages: []string{"tool", "libtool1"}}

// withApt puts apt-get and dpkg-deb on PATH. The function that it returns returns the calls of apt-get.
func withApt(t *testing.T, offers string) (calls func() []string) {
	t.Helper()
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	for name, script := range map[string]string{"apt-get": aptGet, "dpkg-deb": dpkgDeb} {
		if err := executable.Write(filepath.Join(bin, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	t.Setenv("OFFERS", offers)
	t.Setenv("LOG", log)
	return func() []string {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(log); err != nil {
			t.Fatal(err)
		}
		var verbs []string
		for line := range strings.Lines(string(text)) {
			words := strings.Fields(line)
			verb := words[len(words)-1]
			if verb == "libtool1" {
				verb = words[len(words)-3]
			}
			if strings.Contains(line, "--print-uris") {
				verb = "offer"
			}
			if strings.Contains(line, "Dir::State=") {
				verb = "own " + verb
			}
			verbs = append(verbs, verb)
		}
		return verbs
	}
}

// apt-get resolves which libraries of a large program the machine lacks.
func TestLibrariesFromAptGet(t *testing.T) {
	calls := withApt(t, "machine")
	t.Setenv("BELOW", "yes")
	large := Program{Name: "tool", packages: []string{"tool"}, needed: true, inside: "usr/sbin"}
	path, err := large.Ensure(t.Context(), t.TempDir(), &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"offer", "offer", "download"}, calls()); diff != "" {
		t.Errorf("calls of apt-get (-want +got):\n%s", diff)
	}
	got, err := exec.Command(path).Output()
	libraries := filepath.Dir(path) + "/root/usr/lib/x86_64-linux-gnu"
	if want := libraries + ":" + libraries + "/more\n"; err != nil || string(got) != want {
		t.Errorf("%s prints %q, %v, want %q", path, got, err, want)
	}
	other := Program{Name: "tool", packages: []string{"other"}, needed: true}
	_, err = other.Ensure(t.Context(), t.TempDir(), &bytes.Buffer{})
	const want = "tool: apt-get install other, as root (it cannot be unpacked: apt-get does not offer other)"
	if !errors.As(err, new(UnavailableError)) || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

//nolint:paralleltest // it sets PATH
func TestProgramsAreUnpacked(t *testing.T) {
	for _, tt := range []struct {
		offers       string
		first, again []string
	}{
		{"machine", []string{"offer", "download"}, []string{"offer"}},
		{"own", []string{"offer", "own update", "own offer", "own download"}, []string{"offer", "own offer"}},
		{
			"gone",
			[]string{"offer", "download", "own update", "own offer", "own download"},
			[]string{"offer"},
		},
	} {
		t.Run(tt.offers, func(t *testing.T) {
			calls := withApt(t, tt.offers)
			dir := t.TempDir()
			var out bytes.Buffer
			path, err := tool.Ensure(t.Context(), dir, &out)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.first, calls()); diff != "" {
				t.Errorf("calls of apt-get (-want +got):\n%s", diff)
			}
			if want := "tools    tool 1.2-3: unpacking Debian's packages …\n"; !strings.HasSuffix(out.String(), want) {
				t.Errorf("it prints %q, want %q", &out, want)
			}
			got, err := exec.Command(path, "a b", "c").Output()
			want := filepath.Dir(path) + "/root/usr/lib/x86_64-linux-gnu a b c\n"
			if err != nil || string(got) != want {
				t.Errorf("%s prints %q, %v, want %q", path, got, err, want)
			}
			out.Reset()
			other, err := tool.Ensure(t.Context(), dir, &out)
			if err != nil || other != path || out.Len() > 0 {
				t.Errorf("the second time it is %s, %v, and prints %q", other, err, &out)
			}
			if diff := cmp.Diff(tt.again, calls()); diff != "" {
				t.Errorf("later calls of apt-get (-want +got):\n%s", diff)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "tool", "unpack-*")); len(left) > 0 {
				t.Errorf("Ensure has left %q behind", left)
			}
		})
	}
}

// BusyBox is one file with several programs, which it distinguishes by the name of the file: the file itself is run.
func TestAProgramWithoutLibrariesIsRunItself(t *testing.T) {
	withApt(t, "machine")
	t.Setenv("STATIC", "yes")
	path, err := tool.Ensure(t.Context(), t.TempDir(), &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	program, err := filepath.EvalSymlinks(path)
	if err != nil || !strings.HasSuffix(program, "/root/usr/sbin/tool") {
		t.Errorf("it is %s, %v", program, err)
	}
}

// The modules of Debian's packages are for Debian's Python: the unpacked one, or the one that is installed.
func TestAProgramInPythonFindsItsModules(t *testing.T) {
	withApt(t, "machine")
	t.Setenv("PYTHON", "yes")
	inPython := tool
	inPython.python = true
	path, err := inPython.Ensure(t.Context(), t.TempDir(), &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := exec.Command(path, "a b").Output()
	root := filepath.Dir(path) + "/root/usr/"
	if want := root + "lib/python3/dist-packages " + root + "sbin/tool a b\n"; err != nil || string(got) != want {
		t.Errorf("%s prints %q, %v, want %q", path, got, err, want)
	}
}

func TestAProgramOnPathIsTaken(t *testing.T) {
	withApt(t, "nothing")
	bin := t.TempDir()
	want := filepath.Join(bin, "tool")
	if err := executable.Write(want, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	if got, err := tool.Ensure(t.Context(), t.TempDir(), &bytes.Buffer{}); err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestUnavailablePrograms(t *testing.T) {
	const begin = "tool: apt-get install tool, as root (it cannot be unpacked: "
	wantReason := func(want string) {
		t.Helper()
		_, err := tool.Ensure(t.Context(), t.TempDir(), &bytes.Buffer{})
		if !errors.As(err, new(UnavailableError)) || !strings.HasPrefix(err.Error(), begin+want) {
			t.Errorf("got error %v, want %s%s", err, begin, want)
		}
	}
	withApt(t, "nothing")
	wantReason("apt-get update: exit status 100: E: Unable to locate package")
	t.Setenv("PATH", t.TempDir())
	wantReason("apt-get is not on PATH: use Debian or Ubuntu")
}
