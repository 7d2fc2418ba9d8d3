package release

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab/debian"
	"github.com/mixedkube/mixedkube/internal/system/executable"
	"github.com/mixedkube/mixedkube/tests/internal/unpacked"
)

// shells lists the shells that must run the script.
var shells = [][]string{{"dash"}, {"bash"}, {"busybox", "sh"}}

// inShells runs a test in each shell, or skips it for a shell that this machine does not have. The function that the test
// gets prepares the script.
func inShells(t *testing.T, test func(t *testing.T, run func(j job, args ...string) *exec.Cmd)) {
	t.Helper()
	checkout, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, shell := range shells {
		t.Run(shell[0], func(t *testing.T) {
			t.Parallel()
			program := lookShell(t, shell[0])
			test(t, func(j job, args ...string) *exec.Cmd {
				args = append(append(shell[1:len(shell):len(shell)], filepath.Join(checkout, script)), args...)
				cmd := exec.CommandContext(t.Context(), program, args...)
				cmd.Dir = j.dir
				cmd.Env = []string{"PATH=" + j.path}
				for name, value := range j.variables {
					cmd.Env = append(cmd.Env, name+"="+value)
				}
				return cmd
			})
		})
	}
}

// lookShell returns the path of a shell, or skips the test.
func lookShell(t *testing.T, name string) string {
	t.Helper()
	if name == debian.BusyBox.Name {
		return unpacked.Program(t, debian.BusyBox)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("needs %s: apt-get install %[1]s, as root", name)
	}
	return path
}

// released returns a job with a cache, and with a release whose program is a script.
func released(t *testing.T, program string) (j job, server *releases, sum string) {
	t.Helper()
	server = serve(t)
	sum = server.publish(t, "1.2.3", hostSystem(t), runtime.GOARCH, []byte(program))
	j = newJob(t)
	j.variables = map[string]string{
		"MIXEDKUBE_RELEASES": server.address, "MIXEDKUBE_VERSION": "1.2.3", "MIXEDKUBE_CACHE": j.cache,
	}
	return j, server, sum
}

// entries returns the names in the cache.
func (j job) entries(t *testing.T) string {
	t.Helper()
	found, err := os.ReadDir(j.cache)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range found {
		names = append(names, entry.Name())
	}
	return strings.Join(names, " ")
}

func TestWhatIsPlantedInTheCacheIsNotRun(t *testing.T) {
	t.Parallel()
	inShells(t, func(t *testing.T, run func(job, ...string) *exec.Cmd) {
		t.Helper()
		for _, pinned := range []bool{false, true} {
			j, _, sum := released(t, echo)
			if pinned {
				j.variables["MIXEDKUBE_SHA256"] = sum
			}
			const planted = "#!/bin/sh\necho planted\n"
			platform := "1.2.3-" + hostSystem(t) + "-" + runtime.GOARCH
			name := archiveName(t, "1.2.3", hostSystem(t), runtime.GOARCH)
			for file, content := range map[string][]byte{
				platform + "/mixedkube": []byte(planted), platform + "-" + sum + "/mixedkube": []byte(planted),
				"mixedkube": []byte(planted), name: packed(t, map[string][]byte{"mixedkube": []byte(planted)}),
			} {
				file = filepath.Join(j.cache, file)
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := executable.Write(file, content, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			out, err := run(j, "given").CombinedOutput()
			if err != nil || !strings.HasSuffix(string(out), "[check]\n[--timeout]\n[10m]\n[given]\n") {
				t.Errorf("pinned %t: %v, %s", pinned, err, out)
			}
		}
	})
}

// With the checksum, a run needs no network.
func TestPinnedReleasesRunOffline(t *testing.T) {
	t.Parallel()
	inShells(t, func(t *testing.T, run func(job, ...string) *exec.Cmd) {
		t.Helper()
		j, server, sum := released(t, echo)
		j.variables["MIXEDKUBE_SHA256"], j.variables["MIXEDKUBE_TIMEOUT"] = sum, "0"
		for range 2 {
			if out, err := run(j).CombinedOutput(); err != nil || !strings.HasSuffix(string(out), "[check]\n") {
				t.Fatalf("%v, %s", err, out)
			}
		}
		name := archiveName(t, "1.2.3", hostSystem(t), runtime.GOARCH)
		if got := strings.Join(server.take(), " "); got != "/v1.2.3/"+name {
			t.Errorf("both runs downloaded %s", got)
		}
		if got := j.entries(t); got != name {
			t.Errorf("the cache has %s, want only %s", got, name)
		}
	})
}

func TestPlacesOfOthersAreRefused(t *testing.T) {
	t.Parallel()
	inShells(t, func(t *testing.T, run func(job, ...string) *exec.Cmd) {
		t.Helper()
		refused := func(change func(j *job), want func(j job) string) {
			t.Helper()
			j, server, _ := released(t, echo)
			if err := os.Mkdir(j.cache, 0o700); err != nil {
				t.Fatal(err)
			}
			change(&j)
			cmd := run(j)
			out, _ := cmd.CombinedOutput()
			if message := "error: " + want(j) + "\n"; cmd.ProcessState.ExitCode() != 2 || string(out) != message {
				t.Errorf("exit %d, %s, want %s", cmd.ProcessState.ExitCode(), out, message)
			}
			if requested := server.take(); requested != nil {
				t.Errorf("it requested %v", requested)
			}
		}
		for _, mode := range []os.FileMode{0o770, 0o707 | os.ModeSticky} {
			refused(func(j *job) {
				if err := os.Chmod(j.cache, mode); err != nil {
					t.Fatal(err)
				}
			}, func(j job) string {
				return j.cache + ": other users can write to it: run chmod go-w on it, or set MIXEDKUBE_CACHE"
			})
		}
		refused(func(j *job) { delete(j.variables, "MIXEDKUBE_CACHE") }, func(job) string {
			return "HOME is not set, so that the program has no place: set MIXEDKUBE_CACHE to a directory of " +
				"your own"
		})
		for _, address := range []string{
			"http://example.com", "http://localhost.example.com", "http://127.0.0.1:1@example.com", "ftp://localhost",
		} {
			refused(func(j *job) { j.variables["MIXEDKUBE_RELEASES"] = address }, func(job) string {
				return "MIXEDKUBE_RELEASES: " + address + " is not encrypted: use https://"
			})
		}
		refused(func(j *job) { j.variables["MIXEDKUBE_VERSION"] = "1/../2" }, func(job) string {
			return "MIXEDKUBE_VERSION: 1/../2 is not a release: write one like 0.1.0"
		})
		if os.Getuid() == 0 {
			refused(func(j *job) {
				if err := os.Chown(j.cache, 65534, 65534); err != nil {
					t.Fatal(err)
				}
			}, func(j job) string {
				return j.cache + ": it belongs to another user: set MIXEDKUBE_CACHE to a directory of your own"
			})
		}
	})
}

// The server on this machine may speak http, but must not lead to another one that does.
func TestRedirectsWithoutEncryptionAreRefused(t *testing.T) {
	t.Parallel()
	for _, downloader := range []string{"curl", "wget"} {
		j, server, _ := released(t, echo)
		moved := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, server.address+r.URL.Path, http.StatusFound)
		}))
		t.Cleanup(moved.Close)
		j.path = only(t, append([]string{"sha256sum", downloader}, needed...), nil)
		j.variables["MIXEDKUBE_RELEASES"] = moved.URL
		code, stdout, stderr := j.script(t)
		list := moved.URL + "/v1.2.3/checksums.txt"
		want := "error: " + list + ": it cannot be downloaded: is 1.2.3 a release of mixedkube?\n"
		if downloader == "wget" {
			want = "error: " + list + ": it is redirected to an address that is not encrypted: use a mirror with " +
				"https://\n"
		}
		if code != 2 || stdout != "" || !strings.HasSuffix(stderr, want) {
			t.Errorf("%s: exit %d, %s%s, want %s", downloader, code, stdout, stderr, want)
		}
	}
}

func TestOnlyTheProgramLeavesTheArchive(t *testing.T) {
	t.Parallel()
	inShells(t, func(t *testing.T, run func(job, ...string) *exec.Cmd) {
		t.Helper()
		j, _, _ := released(t, "#!/bin/sh\nls -A \"$(dirname \"$0\")\"; ls -ld \"$(dirname \"$0\")\" | cut -c 1-10\n")
		out, err := run(j).Output()
		if want := "mixedkube\ndrwx------\n"; err != nil || string(out) != want {
			t.Errorf("%v, %s, want %s", err, out, want)
		}
	})
}

func TestExitCodesInputAndSignalsPass(t *testing.T) {
	t.Parallel()
	signals := []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}
	for _, s := range signals {
		// In the background of a shell, signals are ignored, and the processes that this one starts inherit that
		// unless it handles them. A shell cannot change that.
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	inShells(t, func(t *testing.T, run func(job, ...string) *exec.Cmd) {
		t.Helper()
		j, _, _ := released(t, "#!/bin/sh\ncat\nexit 42\n")
		cmd := run(j)
		cmd.Stdin = strings.NewReader("from stdin\n")
		if out, _ := cmd.Output(); cmd.ProcessState.ExitCode() != 42 || string(out) != "from stdin\n" {
			t.Errorf("exit %d, %s", cmd.ProcessState.ExitCode(), out)
		}
		name := archiveName(t, "1.2.3", hostSystem(t), runtime.GOARCH)
		if got := j.entries(t); got != name {
			t.Errorf("the cache has %s, want only %s", got, name)
		}

		for _, s := range signals {
			for program, want := range map[string]string{
				// One ends by itself, the other one by the signal.
				"#!/bin/sh\ntrap 'echo asked; exit 5' TERM\necho ready\nwhile :; do sleep 0.1; done\n": "" +
					"asked\nexit 5",
				"#!/bin/sh\necho ready\nexec sleep 100\n": fmt.Sprintf("signal %v", s),
			} {
				j, _, _ := released(t, program)
				cmd := run(j)
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				if _, err := io.ReadFull(out, make([]byte, len("ready\n"))); err != nil {
					t.Fatal(err)
				}
				time.Sleep(50 * time.Millisecond) // until the shell waits
				if err := cmd.Process.Signal(s); err != nil {
					t.Fatal(err)
				}
				rest, _ := io.ReadAll(out)
				_ = cmd.Wait()
				got := fmt.Sprintf("%sexit %d", rest, cmd.ProcessState.ExitCode())
				if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
					got = fmt.Sprintf("%ssignal %v", rest, status.Signal())
				}
				if got != want {
					t.Errorf("%v: it is %s, want %s", s, got, want)
				}
				if got := j.entries(t); got != name {
					t.Errorf("%v: the cache has %s, want only %s", s, got, name)
				}
			}
		}
	})
}

func TestRunsAtTheSameTime(t *testing.T) {
	t.Parallel()
	inShells(t, func(t *testing.T, run func(job, ...string) *exec.Cmd) {
		t.Helper()
		j, _, _ := released(t, echo)
		var runs sync.WaitGroup
		for range 8 {
			runs.Go(func() {
				out, err := run(j, "given").Output()
				if want := "[check]\n[--timeout]\n[10m]\n[given]\n"; err != nil || string(out) != want {
					t.Errorf("%v, %s, want %s", err, out, want)
				}
			})
		}
		runs.Wait()
		if got, want := j.entries(t), archiveName(t, "1.2.3", hostSystem(t), runtime.GOARCH); got != want {
			t.Errorf("the cache has %s, want only %s", got, want)
		}
	})
}
