//go:build unix

package tools

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const (
	// helloProgram is the program that buildsHello writes, helloSum its sum by sha256sum.
	helloProgram = "#!/bin/sh\necho hello version v1.2.3\n"
	helloSum     = "578cb7b69682a33d3066ea459ab490cda5db1d6d3dd54a976a8b4d34ea7e1e54"
)

func TestABinaryIsCachedWithItsSum(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fakeGo(buildsHello)
	paths, err := b.Ensure(t.Context(), "hello")
	if err != nil {
		t.Fatal(err)
	}
	line, err := os.ReadFile(paths["hello"] + ".sha256")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "sum", string(line), helloSum+"  hello\n")
}

func TestCachedBinariesWithWrongSumsAreRebuilt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		spoil  func(t *testing.T, path string)
		reason string
	}{
		{
			"changed", func(t *testing.T, path string) { t.Helper(); program(t, path, "echo changed") },
			"the SHA-256 of the cached one is 9a111093110c…, " + helloSum[:12] + "… was recorded",
		},
		{
			"cut off", func(t *testing.T, path string) {
				t.Helper()
				if err := os.Truncate(path, 9); err != nil {
					t.Fatal(err)
				}
			},
			"the SHA-256 of the cached one is 3af71adb278a…, " + helloSum[:12] + "… was recorded",
		},
		{
			"its sum is empty", func(t *testing.T, path string) { t.Helper(); write(t, path+".sha256", "") },
			"the SHA-256 of the cached one is " + helloSum[:12] + `…, "" was recorded`,
		},
		{
			"of an older version", func(t *testing.T, path string) {
				t.Helper()
				if err := os.Remove(path + ".sha256"); err != nil {
					t.Fatal(err)
				}
			},
			"no SHA-256 was recorded for the cached one (older versions recorded none)",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.fakeGo(buildsHello)
			paths, err := b.Ensure(t.Context(), "hello")
			if err != nil {
				t.Fatal(err)
			}
			test.spoil(t, paths["hello"])

			var table bytes.Buffer
			if err := b.Status(t.Context(), &table); err != nil {
				t.Fatal(err)
			}
			_, status, _ := strings.Cut(hashes.ReplaceAllString(b.mask(table.String()), "-KEY/"), "\n")
			status, _, _ = strings.Cut(status, "\n")
			equal(t, "status", strings.Join(strings.Fields(status), " "),
				"hello v1.2.3 to build DIR/hello/v1.2.3-KEY/hello ("+test.reason+")")

			b.out.Reset()
			again, err := b.Ensure(t.Context(), "hello")
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "progress", b.printed(),
				`tools    1 of 1 to build, into DIR (no archive is recorded for PLATFORM): hello v1.2.3
tools    hello v1.2.3: `+test.reason+`
tools    hello v1.2.3: built in TIME
tools    1 ready: 1 built in TIME
`)
			content, err := os.ReadFile(again["hello"])
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "binary", string(content), helloProgram)
			if fits, why := verify(again["hello"]); !fits || b.builds() != 2 || again["hello"] != paths["hello"] {
				t.Errorf("%s fits: %v (%s), %d builds", again["hello"], fits, why, b.builds())
			}
		})
	}
}

func TestAllReasonsAreReported(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fakeGo(buildsHello)
	paths, err := b.Ensure(t.Context(), "hello")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(sumFile(paths["hello"])); err != nil {
		t.Fatal(err)
	}
	b.script("hello", "echo hello version v1.1.0")
	at, err := b.locateOne(t.Context(), fakeTable()[0])
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "passed over", b.mask(at.passedOver),
		"BIN/hello is v1.1.0, v1.2 is needed; no SHA-256 was recorded for the cached one "+
			"(older versions recorded none)")
}

// While one process replaces a binary, others see a complete binary or none.
func TestManyCallsReplaceAChangedBinaryOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fakeGo("sleep 0.1; " + buildsHello)
	paths, err := b.Ensure(t.Context(), "hello")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(filepath.Dir(paths["hello"]), "hello"), "changed")
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			c := *b.Cache
			c.Out = nil
			_, errs[i] = c.Ensure(t.Context(), "hello")
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	if fits, why := verify(paths["hello"]); !fits || b.builds() != 2 {
		t.Errorf("fits: %v (%s), %d builds", fits, why, b.builds())
	}
}
