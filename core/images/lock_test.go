package images_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// digest returns a digest that is plainly not the digest of an image.
func digest(digit string) string { return "sha256:" + strings.Repeat(digit, 64) }

var example = map[string]*platform.Facts{
	"nginx": {Digest: digest("1"), Variants: []platform.Variant{
		{
			OS: platform.LinuxOS, Architecture: "amd64", Digest: digest("2"),
			Entrypoint: []string{"/docker-entrypoint.sh"}, Command: []string{"nginx", "-g", "daemon off;"},
			Layers: []int64{29_126_382, 0},
		},
		{OS: platform.LinuxOS, Architecture: "s390x", Digest: digest("3")},
	}},
	"registry.example.com/web:1.10": {Digest: digest("4"), Variants: []platform.Variant{{
		OS: platform.WindowsOS, OSVersion: "10.0.20348.2700", Architecture: "amd64", Digest: digest("4"),
		User: "0", Entrypoint: []string{"", "no", "1.30", "two\nlines", "\x1b[2J", "\u202e", "größe: #1"},
	}}},
	"registry.example.com/web:1.9":                   nil,
	"registry.example.com/web:1.8@" + digest("5"):    nil,
	"registry.example.com/true@" + digest("6"):       nil,
	"registry.example.com:5000/a/b:latest":           nil,
	"index.docker.io/library/busybox:1.36.1-windows": nil,
}

func lockOf(t *testing.T, all map[string]*platform.Facts) *images.Lock {
	t.Helper()
	lock := &images.Lock{}
	for reference, facts := range all {
		if err := lock.Set(reference, facts); err != nil {
			t.Fatal(err)
		}
	}
	return lock
}

// encoded returns the content of the file of a lock.
func encoded(t *testing.T, lock *images.Lock) string {
	t.Helper()
	text, err := lock.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// An encoded lock can be decoded, and encoding it again gives the same text: maps have no order, files do.
func TestEncodeAndDecode(t *testing.T) {
	t.Parallel()
	first := encoded(t, lockOf(t, example))
	golden.Equal(t, "testdata/lock.golden.yaml", first)
	read, err := images.Decode(strings.NewReader(first), images.DefaultFile)
	if err != nil {
		t.Fatal(err)
	}
	for reference, want := range example {
		if diff := cmp.Diff(want, read.Facts(reference)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", reference, diff)
		}
	}
	for range 5 {
		if again := encoded(t, lockOf(t, example)); again != first {
			t.Fatalf("it is encoded differently:\n%s\nand\n%s", first, again)
		}
	}
	if again := encoded(t, read); again != first {
		t.Errorf("what was decoded is encoded differently:\n%s\nand\n%s", first, again)
	}
}

// A new image adds its lines, and does not change others.
func TestDifferencesAreSmall(t *testing.T) {
	t.Parallel()
	lock := lockOf(t, example)
	before := encoded(t, lock)
	if err := lock.Set("nginx:1.27", example["nginx"]); err != nil {
		t.Fatal(err)
	}
	after := encoded(t, lock)
	position := 0
	lines := strings.Split(after, "\n")
	for line := range strings.SplitSeq(before, "\n") {
		for position < len(lines) && lines[position] != line {
			position++
		}
		position++
	}
	if position > len(lines) {
		t.Errorf("lines have changed:\n%s\nis now\n%s", before, after)
	}
	lock.Remove("docker.io/library/nginx:1.27")
	if again := encoded(t, lock); again != before {
		t.Errorf("after the image is removed it is\n%s\nwant\n%s", again, before)
	}
}

func TestReferencesAreSpelledInSeveralWays(t *testing.T) {
	t.Parallel()
	lock := lockOf(t, example)
	for reference, known := range map[string]bool{
		"nginx": true, "nginx:latest": true, "library/nginx": true, "docker.io/nginx": true,
		"docker.io/library/nginx:latest": true, "index.docker.io/library/nginx": true,
		"nginx:1.27": false, "nginx@" + digest("9"): false, "example.com/nginx@" + digest("1"): false,
		"NGINX": false, "": false,
		"REGISTRY.example.com/web:1.10": true, "registry.example.com/web:1.11@" + digest("4"): true,
		"example.com/nginx": false,
	} {
		if got := lock.Facts(reference); (got != nil) != known {
			t.Errorf("the facts of %q are %v", reference, got)
		}
	}
	// The facts about a tag also apply to its digest: all of them, or those about one platform.
	for of, platforms := range map[string]string{"1": "Linux/amd64, Linux/s390x", "3": "Linux/s390x"} {
		facts := lock.Facts("nginx:1.26@" + digest(of))
		if facts == nil || facts.String() != platforms || facts.Digest != digest(of) {
			t.Errorf("of the digest %s it knows %v", of, facts)
		}
	}
	// For a reference with a digest, the digest decides, whatever its tag is.
	if err := lock.Set("registry.example.com/web:1.8@"+digest("5"), example["nginx"]); err != nil {
		t.Fatal(err)
	}
	for _, tag := range []string{"", ":1.8", ":other"} {
		if lock.Facts("registry.example.com/web"+tag+"@"+digest("5")) == nil {
			t.Errorf("nothing is known with the tag %q", tag)
		}
	}
}

// The facts about a digest follow the tags that have it.
func TestDigestsFollowTheirTags(t *testing.T) {
	t.Parallel()
	lock := lockOf(t, example)
	known := func() bool { return lock.Facts("nginx@"+digest("3")) != nil }
	if !known() {
		t.Fatal("the digest is not known")
	}
	lock.Remove("nginx")
	if known() {
		t.Error("it is known without its tag")
	}
	if err := lock.Set("nginx:1.26", example["nginx"]); err != nil {
		t.Fatal(err)
	}
	if !known() {
		t.Error("it is not known of another tag")
	}
}

// A look-up of a digest takes as long with many images as with few.
func BenchmarkDigest(b *testing.B) {
	lock := &images.Lock{}
	for i := range 10_000 {
		if err := lock.Set(fmt.Sprintf("shop.example.com/shop-%d:1", i), example["nginx"]); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if lock.Facts("shop.example.com/other@"+digest("3")) != nil {
			b.Fatal("known")
		}
	}
}

func TestNilLockIsEmpty(t *testing.T) {
	t.Parallel()
	var lock *images.Lock
	lock.Remove("nginx")
	if lock.Facts("nginx") != nil || lock.References() != nil {
		t.Errorf("it knows %v of %v", lock.Facts("nginx"), lock.References())
	}
}

func TestSetTakesReferencesOnly(t *testing.T) {
	t.Parallel()
	err := (&images.Lock{}).Set("Nginx", nil)
	want := `"Nginx" is not a valid image reference: write one such as nginx:1.27`
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

func TestInvalidFiles(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, want string }{
		"version": {
			"version: 2\nimages: {}\n",
			"FILE:1: version: Invalid value: 2: this version of mixedkube reads version 1",
		},
		"empty": {"", "FILE: has 0 documents: give one that describes the images"},
		"keys": {
			"version: 1\nimage: {}\n",
			`FILE:2: image: Invalid value: "image": unknown key: did you mean "images"? (use version or images)`,
		},
		"everything": {
			`version: 1
images:
  Nginx: {}
  nginx: {}
  docker.io/library/nginx:latest: {}
  a:1:
    platforms:
      - os: linux
        digest: sha256:abc
        layers: [1, -1, many]
  b:1:
    digest: 12
    platform: []
`,
			`FILE:8: images[a:1].platforms[0].architecture: Required value: write amd64, for example
FILE:10: images[a:1].platforms[0].layers[2]: Invalid value: "many": must be a whole number
FILE:12: images[b:1].digest: Invalid value: 12: must be a string: write it in quotes
FILE:13: images[b:1].platform: Invalid value: "platform": unknown key: did you mean "platforms"? ` +
				`(use digest or platforms)
FILE:3: images[Nginx]: Invalid value: "Nginx": must be an image reference, nginx:1.27 for example
FILE:6: images[a:1].digest: Required value: the digest that has these platforms
FILE:9: images[a:1].platforms[0].digest: Invalid value: "sha256:abc": must be a digest, ` +
				`sha256: and 64 hexadecimal digits
FILE:10: images[a:1].platforms[0].layers[1]: Invalid value: -1: must be a number of bytes, 0 or more
FILE:4: images[nginx]: Invalid value: "nginx": is the same image as docker.io/library/nginx:latest: remove one`,
		},
		"digest alone": {
			"version: 1\nimages:\n  a:1: {digest: '" + digest("1") + "'}\n",
			"FILE:3: images[a:1].platforms: Required value: list at least one platform",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lock, err := images.Decode(strings.NewReader(tt.text), "FILE")
			got := fmt.Sprint(err)
			if lock != nil || got != tt.want {
				t.Errorf("the error is\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// A text that is too large to be decoded is not encoded.
func TestALockHasALimit(t *testing.T) {
	t.Parallel()
	lock := &images.Lock{}
	long := &platform.Facts{Digest: digest("1"), Variants: []platform.Variant{{
		OS: platform.LinuxOS, Architecture: "amd64", Digest: digest("1"),
		Command: []string{strings.Repeat("a", 16<<10)},
	}}}
	for i := range 330 {
		if err := lock.Set(fmt.Sprintf("a:%d", i), long); err != nil {
			t.Fatal(err)
		}
	}
	text, err := lock.Encode()
	const want = "would be larger than 5 MiB, the limit for reading the file: lock fewer images"
	if err == nil || err.Error() != want || text != nil {
		t.Errorf("%d bytes, the error is %v, want %s", len(text), err, want)
	}
}
