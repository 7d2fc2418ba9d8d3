package platform_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
)

const digest = "@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

var (
	nothing = platform.Image{}
	linux   = platform.Image{OS: platform.LinuxOS}
	windows = platform.Image{OS: platform.WindowsOS}
)

func windowsRelease(p platform.Platform) platform.Image {
	return platform.Image{OS: platform.WindowsOS, Release: p}
}

type imageTest struct {
	name string
	ref  string
	want platform.Image
}

// imageTests reads the cases in testdata/images: a line has a platform, a reference and a name.
func imageTests(tb testing.TB) []imageTest {
	tb.Helper()
	platforms := map[string]platform.Image{
		"unknown": nothing, "linux": linux, "windows": windows,
		"host-process": {OS: platform.WindowsOS, HostProcess: true},
	}
	tests := []imageTest{
		{"nothing at all", "", nothing},
		{"a blank", " ", nothing},
		{"a blank after a reference", "alpine ", nothing},
		{"a tag that is too long", "alpine:" + strings.Repeat("a", 129), nothing},
		{"a tag that is just short enough", "alpine:" + strings.Repeat("a", 128), linux},
		{"a path that is too long", "localhost/windows/servercore/" + strings.Repeat("a", 255) + ":ltsc2022", nothing},
	}
	files, err := filepath.Glob("testdata/images/*.txt")
	if err != nil || len(files) < 10 {
		tb.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			of, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			ref, name, ok := strings.Cut(rest, "  # ")
			want, is := platforms[of]
			if !is {
				want = windowsRelease(platform.Platform(of))
			}
			if !ok || !is && !want.Release.IsWindows() {
				tb.Fatalf("%s: %s", file, line)
			}
			tests = append(tests, imageTest{name, strings.Replace(strings.TrimSpace(ref), "@DIGEST", digest, 1), want})
		}
	}
	return tests
}

func TestFromImage(t *testing.T) {
	t.Parallel()
	for _, tt := range imageTests(t) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := platform.FromImage(tt.ref)
			got.ByTag = false // TestFactsFromTagsOnly has it
			if got != tt.want {
				t.Errorf("FromImage(%q) = %+v, want %+v", tt.ref, got, tt.want)
			}
		})
	}
}

func FuzzFromImage(f *testing.F) {
	for _, tt := range imageTests(f) {
		f.Add(tt.ref)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		got := platform.FromImage(ref)
		if again := platform.FromImage(ref); again != got {
			t.Errorf("FromImage(%q) = %+v, and then %+v", ref, got, again)
		}
		switch got.OS {
		case platform.WindowsOS:
			if got.Release != "" && !got.Release.IsWindows() {
				t.Errorf("FromImage(%q) = %+v: the release is not Windows", ref, got)
			}
			if got.HostProcess && got.Release != "" {
				t.Errorf("FromImage(%q) = %+v: host-process and of a release", ref, got)
			}
		case platform.LinuxOS, "":
			if got.Release != "" || got.HostProcess {
				t.Errorf("FromImage(%q) = %+v: Windows fields without Windows", ref, got)
			}
		default:
			t.Errorf("FromImage(%q) = %+v: no such OS", ref, got)
		}
		if !strings.Contains(ref, "@") {
			if pinned := platform.FromImage(ref + digest); pinned != got {
				t.Errorf("FromImage(%q) = %+v, but with a digest %+v", ref, got, pinned)
			}
		}
		for _, host := range platform.Windows() {
			strict := platform.CanRun(host, got, platform.Strict)
			relaxed := platform.CanRun(host, got, platform.Relaxed)
			if strict == platform.Yes && relaxed != platform.Yes {
				t.Errorf("%s runs %q by the strict rule only", host, ref)
			}
		}
	})
}
