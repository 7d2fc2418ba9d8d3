//go:build unix

package tools

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// file is the path of this machine's archive on a server.
var file = "/tools-1/mixedkube-tools-" + runtime.GOOS + "-" + runtime.GOARCH + ".tar.gz"

// fetchingLine returns the line that is printed before the download of content.
func fetchingLine(content []byte) string {
	return fmt.Sprintf("tools    fetching URL%s (%d bytes) …\n", file, len(content))
}

const builtLines = `tools    1 of 1 to build, into DIR: hello v1.2.3
tools    hello v1.2.3: built in TIME
tools    1 ready: 1 built in TIME
`

func TestToolsAreFetchedFromTheRecordedArchive(t *testing.T) {
	t.Parallel()
	content := packed(t, entry{name: "hello", content: fetchedHello}, entry{name: "kwok", content: "other"})
	r := newMirror(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(content) })
	r.record(content, r.member("hello", fetchedHello),
		member{Tool: "kwok", Version: "v1", Key: "0", SHA256: sum("other"), Size: 5})

	var table bytes.Buffer
	if err := r.Status(t.Context(), &table); err != nil {
		t.Fatal(err)
	}
	var first, second []string
	for line := range strings.Lines(hashes.ReplaceAllString(r.mask(table.String()), "-KEY/")) {
		first, second = second, strings.Fields(line)
		if len(first) > 0 && first[0] == "TOOL" {
			break
		}
	}
	equal(t, "status", strings.Join(second, " "), "hello v1.2.3 archive DIR/hello/v1.2.3-KEY/hello")
	equal(t, "requests of the status", r.requestLog(), "")

	paths, err := r.Ensure(t.Context(), "hello")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "progress", r.printed(),
		fetchingLine(content)+"tools    fetched in TIME\ntools    1 ready: 1 from the archive\n")
	equal(t, "requests", r.requestLog(), "GET "+file)
	equal(t, "cache", r.cached(), inCache(fetchedHello))
	binary, err := os.ReadFile(paths["hello"])
	if err != nil || r.builds() != 0 {
		t.Fatalf("%v, %d builds", err, r.builds())
	}
	equal(t, "binary", string(binary), fetchedHello)

	// The fetched tool is cached like any other.
	r.out.Reset()
	if _, err := r.Ensure(t.Context(), "hello"); err != nil {
		t.Fatal(err)
	}
	equal(t, "progress", r.printed(), "tools    1 ready: 1 cached\n")
	equal(t, "requests", r.requestLog(), "GET "+file)
}

func TestToolsMissingFromTheArchiveAreBuilt(t *testing.T) {
	t.Parallel()
	content := packed(t, entry{name: "hello", content: fetchedHello}, entry{name: "bye", content: "old"})
	r := newMirror(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(content) })
	old := r.member("bye", "old")
	old.Key = "000000000000"
	r.record(content, r.member("hello", fetchedHello), old)
	if _, err := r.Ensure(t.Context(), "hello", "bye", "pulumi"); err != nil {
		t.Fatal(err)
	}
	equal(t, "progress", r.printed(), `tools    the release tools-1 has other builds of bye
`+fetchingLine(content)+`tools    fetched in TIME
tools    2 of 3 to build, into DIR: bye v1.2.3, pulumi v1.2.3
tools    bye v1.2.3: built in TIME
tools    pulumi v1.2.3: built in TIME
tools    3 ready: 1 from the archive, 2 built in TIME
`)
}

func TestOnlyRecordedArchivesAreRequested(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		record  func(r *mirror)
		printed string
		why     string
	}{
		{"no archive", func(r *mirror) { r.recordAll() }, "", " (no archive is recorded for PLATFORM)"},
		{"an archive for another platform", func(r *mirror) {
			r.recordAll(archive{
				Release: "tools-1", Platform: "plan9/arm", Size: 1,
				Members: []member{r.member("hello", fetchedHello)},
			})
		}, "", " (no archive is recorded for PLATFORM)"},
		{"an archive of another recipe", func(r *mirror) {
			m := r.member("hello", fetchedHello)
			m.Key = "000000000000"
			r.record(nil, m)
		}, "tools    the release tools-1 has other builds of hello\n", ""},
		{"an archive of another version", func(r *mirror) {
			m := r.member("hello", fetchedHello)
			m.Version = "v1.2.4"
			r.record(nil, m)
		}, "tools    the release tools-1 has other builds of hello\n", ""},
		{"an archive without the tool", func(r *mirror) { r.record(nil, r.member("bye", "")) }, "", ""},
		{"archives are off", func(r *mirror) {
			r.record(nil, r.member("hello", fetchedHello))
			r.environ = append(r.environ, "MIXEDKUBE_TOOLS_URL=off")
		}, "", " (MIXEDKUBE_TOOLS_URL is off)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newMirror(t, http.NotFound)
			test.record(r)
			if _, err := r.Ensure(t.Context(), "hello"); err != nil {
				t.Fatal(err)
			}
			equal(t, "progress", r.printed(),
				test.printed+strings.Replace(builtLines, "into DIR", "into DIR"+test.why, 1))
			equal(t, "requests", r.requestLog(), "")
			equal(t, "cache", r.cached(), strings.TrimPrefix(inCache(helloProgram), "DIR/.fetch.lock\n"))
		})
	}
}

func TestAnArchiveThatIsNotTheRecordedOneIsNotUsed(t *testing.T) {
	t.Parallel()
	good := packed(t, entry{name: "hello", content: fetchedHello})
	other := slices.Clone(good)
	other[len(other)/2]++
	serve := func(content []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(content) }
	}
	// A response in pieces does not declare its length.
	pieces := func(content []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(content[:len(content)/2])
			w.(http.Flusher).Flush()
			_, _ = w.Write(content[len(content)/2:])
		}
	}
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		reason string
	}{
		{
			"another one of the same length", serve(other),
			fmt.Sprintf("its SHA-256 is %s, %s is recorded", sum(string(other)), sum(string(good))),
		},
		{"another length", serve(good[1:]), fmt.Sprintf("it has %d bytes, %d are recorded", len(good)-1, len(good))},
		{"too short", pieces(good[1:]), fmt.Sprintf("it has %d bytes, %d are recorded", len(good)-1, len(good))},
		{"without an end", func(w http.ResponseWriter, request *http.Request) {
			for request.Context().Err() == nil {
				_, _ = w.Write(good)
			}
		}, fmt.Sprintf("it has more than the %d bytes that are recorded", len(good))},
		{"cut off in the middle", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(good)))
			_, _ = w.Write(good[:100])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, fmt.Sprintf("it was cut off after 100 of %d bytes", len(good))},
		{"missing", http.NotFound, "HOST answers 404 Not Found"},
		{
			"a page in its place", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
			"HOST answers 204 No Content",
		},
		{"redirects in a circle", func(w http.ResponseWriter, request *http.Request) {
			http.Redirect(w, request, request.URL.Path, http.StatusFound)
		}, "it redirects more than five times"},
		{"an empty answer", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newMirror(t, test.answer)
			r.record(good, r.member("hello", fetchedHello))
			if _, err := r.Ensure(t.Context(), "hello"); err != nil {
				t.Fatal(err)
			}
			requests := "GET " + file
			if strings.Contains(test.name, "circle") {
				requests += strings.Repeat("\n"+requests, 5)
			}
			equal(t, "requests", r.requestLog(), requests)
			equal(t, "progress", r.printed(),
				fetchingLine(good)+"tools    the archive is not used: "+test.reason+"\n"+builtLines)
			equal(t, "cache", r.cached(), inCache(helloProgram))
		})
	}
}

func TestAnArchiveWithUnrecordedContentIsNotUsed(t *testing.T) {
	t.Parallel()
	hello := entry{name: "hello", content: fetchedHello}
	for _, test := range []struct {
		name    string
		content []byte
		reason  string
	}{
		{
			"another binary", packed(t, entry{name: "hello", content: strings.ReplaceAll(fetchedHello, "a", "A")}),
			"the SHA-256 of hello in it is " + sum(strings.ReplaceAll(fetchedHello, "a", "A")) + ", " +
				sum(fetchedHello) + " is recorded",
		},
		{
			"another length", packed(t, entry{name: "hello", content: "short"}),
			fmt.Sprintf("hello in it has 5 bytes, %d are recorded", len(fetchedHello)),
		},
		{
			"a path that leaves the directory", packed(t, hello, entry{name: "../../../evil", content: "evil"}),
			`"../../../evil" in it is not recorded`,
		},
		{
			"a path to the same place", packed(t, entry{name: "./hello", content: fetchedHello}),
			`"./hello" in it is not recorded`,
		},
		{"an absolute path", packed(t, entry{name: "/hello", content: fetchedHello}), `"/hello" in it is not recorded`},
		{"a directory", packed(t, entry{name: "bin/", kind: tar.TypeDir}, hello), `"bin/" in it is not recorded`},
		{
			"a link", packed(t, entry{name: "hello", content: "/bin/sh", kind: tar.TypeSymlink}),
			"hello in it is not a regular file",
		},
		{"a binary twice", packed(t, hello, hello), "hello is in it twice"},
		{"no binary", packed(t), "it lacks hello"},
		{"no archive", []byte("no archive"), "gzip: invalid header"},
		{"half a tar", packed(t, hello)[:60], "unexpected EOF"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newMirror(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(test.content) })
			r.record(test.content, r.member("hello", fetchedHello))
			if _, err := r.Ensure(t.Context(), "hello"); err != nil {
				t.Fatal(err)
			}
			equal(t, "progress", r.printed(),
				fetchingLine(test.content)+"tools    the archive is not used: "+test.reason+"\n"+builtLines)
			equal(t, "cache", r.cached(), inCache(helloProgram))
			for _, dir := range []string{r.Dir, filepath.Dir(r.Dir), filepath.Dir(filepath.Dir(r.Dir))} {
				if _, err := os.Lstat(filepath.Join(dir, "evil")); err == nil {
					t.Errorf("evil was written into %s", dir)
				}
			}
		})
	}
}

func TestUnreachableAddressesAreNotFatal(t *testing.T) {
	t.Parallel()
	listen := func(t *testing.T) net.Listener {
		t.Helper()
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		return listener
	}
	for _, test := range []struct {
		name   string
		listen func(t *testing.T) net.Listener
		reason string
	}{
		{"refused", func(t *testing.T) net.Listener {
			t.Helper()
			listener := listen(t)
			if err := listener.Close(); err != nil {
				t.Fatal(err)
			}
			return listener
		}, "dial tcp HOST: connect: connection refused"},
		// The system accepts the connection, but no response follows.
		{"silent", func(t *testing.T) net.Listener {
			t.Helper()
			listener := listen(t)
			t.Cleanup(func() { _ = listener.Close() })
			return listener
		}, "HOST does not answer within 100ms"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newMirror(t, http.NotFound)
			r.at("http://" + test.listen(t).Addr().String())
			r.timeouts.answer = 100 * time.Millisecond
			content := packed(t, entry{name: "hello", content: fetchedHello})
			r.record(content, r.member("hello", fetchedHello))
			if _, err := r.Ensure(t.Context(), "hello"); err != nil {
				t.Fatal(err)
			}
			equal(t, "progress", r.printed(),
				fetchingLine(content)+"tools    the archive is not used: "+test.reason+"\n"+builtLines)
			equal(t, "cache", r.cached(), inCache(helloProgram))
		})
	}
}

func TestTheUserWaitsThreeSecondsForAnAnswer(t *testing.T) {
	t.Parallel()
	root, err := findRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	c, err := FromRoot(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := (timeouts{
		answer: 3 * time.Second, silence: 30 * time.Second,
		beat: 10 * time.Second,
	}); c.timeouts != want {
		t.Errorf("%+v, want %+v", c.timeouts, want)
	}
}

func TestStalledDownloadsAreCanceled(t *testing.T) {
	t.Parallel()
	content := packed(t, entry{name: "hello", content: fetchedHello})
	for _, test := range []struct {
		name            string
		sent            int
		answer, silence time.Duration
		reason          string
	}{
		// A header is not the first byte.
		{"before the first byte", 0, 200 * time.Millisecond, time.Minute, "HOST does not answer within 200ms"},
		{
			"in the middle", 100, time.Minute, 100 * time.Millisecond,
			fmt.Sprintf("after 100 of %d bytes nothing came for 100ms", len(content)),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newMirror(t, func(w http.ResponseWriter, request *http.Request) {
				w.Header().Set("Content-Length", strconv.Itoa(len(content)))
				_, _ = w.Write(content[:test.sent])
				w.(http.Flusher).Flush()
				<-request.Context().Done()
			})
			r.timeouts.answer, r.timeouts.silence = test.answer, test.silence
			r.record(content, r.member("hello", fetchedHello))
			if _, err := r.Ensure(t.Context(), "hello"); err != nil {
				t.Fatal(err)
			}
			equal(t, "progress", r.printed(),
				fetchingLine(content)+"tools    the archive is not used: "+test.reason+"\n"+builtLines)
		})
	}
}

func TestASlowDownloadShowsThatItLives(t *testing.T) {
	t.Parallel()
	content := packed(t, entry{name: "hello", content: fetchedHello})
	r := newMirror(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		for i := range content {
			_, _ = w.Write(content[i : i+1])
			w.(http.Flusher).Flush()
			time.Sleep(3 * time.Millisecond)
		}
	})
	// It takes longer than any single wait may.
	r.timeouts = timeouts{answer: 20 * time.Second, silence: 20 * time.Second, beat: 50 * time.Millisecond}
	r.record(content, r.member("hello", fetchedHello))
	if _, err := r.Ensure(t.Context(), "hello"); err != nil {
		t.Fatal(err)
	}
	printed := r.printed()
	beat := regexp.MustCompile(fmt.Sprintf(`tools    fetched \d+ bytes of %d bytes after TIME …\n`, len(content)))
	if len(beat.FindAllString(printed, -1)) < 2 {
		t.Errorf("no signs of life:\n%s", printed)
	}
	equal(t, "progress", beat.ReplaceAllString(printed, ""),
		fetchingLine(content)+"tools    fetched in TIME\ntools    1 ready: 1 from the archive\n")
}

func TestARedirectIsFollowed(t *testing.T) {
	t.Parallel()
	content := packed(t, entry{name: "hello", content: fetchedHello})
	r := newMirror(t, func(w http.ResponseWriter, request *http.Request) {
		if request.URL.Path == file {
			http.Redirect(w, request, "/elsewhere", http.StatusFound)
			return
		}
		_, _ = w.Write(content)
	})
	r.record(content, r.member("hello", fetchedHello))
	if _, err := r.Ensure(t.Context(), "hello"); err != nil {
		t.Fatal(err)
	}
	equal(t, "requests", r.requestLog(), "GET "+file+"\nGET /elsewhere")
	equal(t, "cache", r.cached(), inCache(fetchedHello))
}

func TestRedirectsGetNoMoreTime(t *testing.T) {
	t.Parallel()
	content := packed(t, entry{name: "hello", content: fetchedHello})
	r := newMirror(t, func(w http.ResponseWriter, request *http.Request) {
		time.Sleep(200 * time.Millisecond)
		if request.URL.Path == file {
			http.Redirect(w, request, "/elsewhere", http.StatusFound)
			return
		}
		_, _ = w.Write(content)
	})
	r.timeouts.answer = 300 * time.Millisecond
	r.record(content, r.member("hello", fetchedHello))
	if _, err := r.Ensure(t.Context(), "hello"); err != nil {
		t.Fatal(err)
	}
	equal(t, "progress", r.printed(),
		fetchingLine(content)+"tools    the archive is not used: HOST does not answer within 300ms\n"+builtLines)
}

func TestRedirectsMustStayEncrypted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ from, to, want string }{
		{"https://github.com/a", "https://example.com/a", ""},
		{"http://localhost/a", "http://localhost/b", ""},
		{"http://localhost/a", "https://example.com/a", ""},
		{"https://github.com/a", "http://user:secret@example.com/a", "it redirects to http://user:xxxxx@example.com/a, which is not an https address"},
	} {
		request := func(url string) *http.Request {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		got := ""
		if err := checkRedirect(request(test.to), []*http.Request{request(test.from)}); err != nil {
			got = err.Error()
		}
		equal(t, test.from+" to "+test.to, got, test.want)
	}
}

func TestAMirrorsPasswordIsNotShown(t *testing.T) {
	t.Parallel()
	r := newMirror(t, http.NotFound)
	host := strings.TrimPrefix(r.url, "http://")
	r.at("http://user:secret@" + host + "/mirror/")
	content := packed(t)
	r.record(content, r.member("hello", fetchedHello))
	if _, err := r.Ensure(t.Context(), "hello"); err != nil {
		t.Fatal(err)
	}
	equal(t, "progress", strings.ReplaceAll(r.bench.printed(), host, "HOST"),
		fmt.Sprintf("tools    fetching http://user:xxxxx@HOST/mirror%s (%d bytes) …\n", file, len(content))+
			"tools    the archive is not used: HOST answers 404 Not Found\n"+builtLines)
	equal(t, "requests", r.requestLog(), "GET /mirror"+file)
}

func TestAddressOfTheReleaseOrOfAMirror(t *testing.T) {
	t.Parallel()
	a := archive{Release: "tools-1", Platform: "darwin/arm64"}
	for _, test := range []struct{ variable, want string }{
		{"", "https://github.com/mixedkube/mixedkube/releases/download/tools-1/mixedkube-tools-darwin-arm64.tar.gz"},
		{"https://example.com", "https://example.com/tools-1/mixedkube-tools-darwin-arm64.tar.gz"},
		{"http://localhost:8080/a/", "http://localhost:8080/a/tools-1/mixedkube-tools-darwin-arm64.tar.gz"},
		{
			"ftp://example.com",
			`MIXEDKUBE_TOOLS_URL is "ftp://example.com": set it to an http or https address, or to "off"`,
		},
		{"example.com", `MIXEDKUBE_TOOLS_URL is "example.com": set it to an http or https address, or to "off"`},
		{"http:///a", `MIXEDKUBE_TOOLS_URL is "http:///a": set it to an http or https address, or to "off"`},
		{"http://a b", `MIXEDKUBE_TOOLS_URL is "http://a b": set it to an http or https address, or to "off"`},
	} {
		address, err := a.address([]string{"MIXEDKUBE_TOOLS_URL=" + test.variable})
		if err != nil {
			equal(t, test.variable, err.Error(), test.want)
			continue
		}
		equal(t, test.variable, address.String(), test.want)
	}
}

func TestInvalidAddressIsReportedBeforeTheFirstBuild(t *testing.T) {
	t.Parallel()
	r := newMirror(t, http.NotFound)
	r.record(nil, r.member("hello", fetchedHello))
	r.environ = append(r.environ, "MIXEDKUBE_TOOLS_URL=no")
	_, err := r.Ensure(t.Context(), "hello")
	equal(t, "error", r.masked(err), `MIXEDKUBE_TOOLS_URL is "no": set it to an http or https address, or to "off"`)
	if r.builds() != 0 {
		t.Errorf("%d builds", r.builds())
	}
}

func TestARecordThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, content, want string }{
		{"cut off", `[{"release": "tools-1"`, "unexpected EOF: compare it with git"},
		{"an unknown field", `[{"sum": "0"}]`, `json: unknown field "sum": compare it with git`},
		{"missing", "", "no such file: it records the archives of prebuilt tools: restore it from git"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newMirror(t, http.NotFound)
			path := filepath.Join(r.Root, "internal", "lab", "tools", "archives.json")
			write(t, path, test.content)
			if test.content == "" {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			_, err := r.Ensure(t.Context(), "hello")
			equal(t, "error", r.masked(err), "ROOT/internal/lab/tools/archives.json: "+test.want)
			if r.builds() != 0 || r.requestLog() != "" {
				t.Errorf("%d builds, requests %s", r.builds(), r.requestLog())
			}
		})
	}
}

func TestUnwritableCacheFailsBeforeFetching(t *testing.T) {
	t.Parallel()
	r := newMirror(t, http.NotFound)
	r.record(nil, r.member("hello", fetchedHello))
	taken := filepath.Join(t.TempDir(), "file")
	write(t, taken, "")
	r.Dir = filepath.Join(taken, "cache")
	_, err := r.Ensure(t.Context(), "hello")
	equal(t, "error", r.masked(err), "tool cache DIR: not a directory: "+moveCache())
	equal(t, "requests", r.requestLog(), "")
	equal(t, "progress", r.printed(), "")
}

func TestAnInterruptedDownloadLeavesNothing(t *testing.T) {
	t.Parallel()
	content := packed(t, entry{name: "hello", content: fetchedHello})
	ctx, cancel := context.WithCancelCause(t.Context())
	ctrlC := errors.New("stopped by the test")
	whole := false
	r := newMirror(t, func(w http.ResponseWriter, request *http.Request) {
		if whole {
			_, _ = w.Write(content)
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		_, _ = w.Write(content[:100])
		w.(http.Flusher).Flush()
		cancel(ctrlC)
		<-request.Context().Done()
	})
	r.record(content, r.member("hello", fetchedHello))
	_, err := r.Ensure(ctx, "hello")
	equal(t, "error", r.masked(err), "fetch the tools: interrupted: stopped by the test")
	if !errors.Is(err, ctrlC) {
		t.Errorf("%v does not wrap the cause", err)
	}
	equal(t, "progress", r.printed(), fetchingLine(content))
	equal(t, "cache", r.cached(), "DIR/.fetch.lock\n")
	if r.builds() != 0 {
		t.Errorf("%d builds", r.builds())
	}

	// Nothing blocks the next download.
	whole = true
	if _, err := r.Ensure(t.Context(), "hello"); err != nil {
		t.Fatal(err)
	}
	equal(t, "cache", r.cached(), inCache(fetchedHello))
}

func TestUnpackingCanBeInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	ctrlC := errors.New("stopped by the test")
	cancel(ctrlC)
	content := packed(t, entry{name: "hello", content: fetchedHello})
	recorded := archive{Members: []member{{Tool: "hello", SHA256: sum(fetchedHello), Size: int64(len(fetchedHello))}}}
	for _, requested := range []bool{true, false} {
		err := recorded.unpack(ctx, bytes.NewReader(content), map[string]bool{"hello": requested}, t.TempDir())
		if !errors.Is(err, ctrlC) {
			t.Errorf("requested %v: %v", requested, err)
		}
	}
}

func TestFilesOfKilledDownloadsAreRemoved(t *testing.T) {
	t.Parallel()
	content := packed(t, entry{name: "hello", content: fetchedHello})
	hang := true
	r := newMirror(t, func(w http.ResponseWriter, request *http.Request) {
		if !hang {
			_, _ = w.Write(content)
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		_, _ = w.Write(content[:100])
		w.(http.Flusher).Flush()
		<-request.Context().Done()
	})
	r.record(content, r.member("hello", fetchedHello))
	killed, _ := r.inChild()
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	left := func() []string {
		found, err := filepath.Glob(filepath.Join(r.Dir, ".fetch-*", "*.tar.gz"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	eventually(t, "the download is under way", func() bool { return len(left()) == 1 })
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	if len(left()) != 1 {
		t.Fatalf("the killed process left %q", left())
	}
	hang = false
	if _, err := r.Ensure(t.Context(), "hello"); err != nil {
		t.Fatal(err)
	}
	equal(t, "cache", r.cached(), inCache(fetchedHello))
}

func TestTwoProcessesFetchOnce(t *testing.T) {
	t.Parallel()
	content := packed(t, entry{name: "hello", content: fetchedHello})
	gate := make(chan struct{})
	r := newMirror(t, func(w http.ResponseWriter, _ *http.Request) {
		<-gate
		_, _ = w.Write(content)
	})
	r.record(content, r.member("hello", fetchedHello))
	first, firstOut := r.inChild()
	second, secondOut := r.inChild()
	for _, process := range []*exec.Cmd{first, second} {
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "one of them waits", func() bool {
		return strings.Contains(firstOut.String()+secondOut.String(), "waiting for another process")
	})
	close(gate)
	if err := errors.Join(first.Wait(), second.Wait()); err != nil {
		t.Errorf("%v\n%s\n%s", err, firstOut, secondOut)
	}
	printed := []string{r.plain(r.mask(firstOut.String())), r.plain(r.mask(secondOut.String()))}
	slices.Sort(printed)
	equal(t, "the one that fetched", printed[0],
		fetchingLine(content)+"tools    fetched in TIME\ntools    1 ready: 1 from the archive\n")
	equal(t, "the one that waited", printed[1],
		`tools    waiting for another process that fetches tools, which holds DIR/.fetch.lock …
tools    fetched by another process
tools    1 ready: 1 cached
`)
	equal(t, "requests", r.requestLog(), "GET "+file)
	equal(t, "cache", r.cached(), inCache(fetchedHello))
}

// A tool that a process without archives builds in the meantime stays.
func TestAToolThatIsBuiltMeanwhileStays(t *testing.T) {
	t.Parallel()
	content := packed(t, entry{name: "hello", content: fetchedHello})
	var r *mirror
	r = newMirror(t, func(w http.ResponseWriter, _ *http.Request) {
		builder := *r.Cache
		builder.Out, builder.environ = nil, slices.Concat(r.environ, []string{urlVariable + "=" + off})
		if _, err := builder.Ensure(t.Context(), "hello"); err != nil {
			t.Error(err)
		}
		_, _ = w.Write(content)
	})
	r.record(content, r.member("hello", fetchedHello))
	if _, err := r.Ensure(t.Context(), "hello"); err != nil {
		t.Fatal(err)
	}
	equal(t, "progress", r.printed(), fetchingLine(content)+"tools    fetched in TIME\ntools    1 ready: 1 cached\n")
	equal(t, "cache", r.cached(), inCache(helloProgram))
}

// A changed binary is fetched again as it would be built again.
func TestAChangedBinaryIsFetchedAgain(t *testing.T) {
	t.Parallel()
	content := packed(t, entry{name: "hello", content: fetchedHello})
	r := newMirror(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(content) })
	r.record(content, r.member("hello", fetchedHello))
	paths, err := r.Ensure(t.Context(), "hello")
	if err != nil {
		t.Fatal(err)
	}
	program(t, paths["hello"], "echo changed")
	r.out.Reset()
	if _, err := r.Ensure(t.Context(), "hello"); err != nil {
		t.Fatal(err)
	}
	equal(t, "progress", r.printed(),
		"tools    hello v1.2.3: the SHA-256 of the cached one is 9a111093110c…, "+sum(fetchedHello)[:12]+
			"… was recorded\n"+
			fetchingLine(content)+"tools    fetched in TIME\ntools    1 ready: 1 from the archive\n")
	equal(t, "cache", r.cached(), inCache(fetchedHello))
}
