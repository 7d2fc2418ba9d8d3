package manifests_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/manifests"
)

// published returns the facts of testdata/images.yaml.
func published(t *testing.T) *images.Lock {
	t.Helper()
	text, err := os.ReadFile("testdata/images.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var records []struct {
		Images, Platforms []string
		Source            string
	}
	if err := yaml.UnmarshalStrict(text, &records); err != nil {
		t.Fatal(err)
	}
	lock := &images.Lock{}
	for _, r := range records {
		if !strings.HasPrefix(r.Source, "https://github.com/") {
			t.Errorf("%s: the source is %q", r.Images, r.Source)
		}
		facts := &platform.Facts{Digest: "not known"}
		for _, name := range r.Platforms {
			v := platform.Variant{OS: platform.WindowsOS, Architecture: "amd64"}
			v.OSVersion = platform.Platform(name).Build()
			if architecture, linux := strings.CutPrefix(name, "linux/"); linux {
				v = platform.Variant{OS: platform.LinuxOS, Architecture: architecture}
			} else if v.OSVersion == "" {
				t.Errorf("%s: %q is not a platform", r.Images, name)
			}
			facts.Variants = append(facts.Variants, v)
		}
		for _, image := range r.Images {
			if err := lock.Set(image, facts); err != nil {
				t.Error(err)
			}
		}
	}
	return lock
}

// The test counts the workloads whose platform is known from the names of their images, and from public
// sources about the images. Images without a source stay unknown, and count.
func TestFactsOfSourcesAboutImages(t *testing.T) {
	t.Parallel()
	lock := published(t)
	counts, sum := map[string]int{}, 0
	for _, project := range manifests.Read(t) {
		options := conversion.Options{Topology: manifests.Cluster(true)}
		before := convert(t, project.Name, project.Files, options)
		after := convert(t, project.Name, project.Files, options.WithImages(lock))
		for i, o := range before.Objects {
			if o.Done == conversion.NoPods || o.Done == conversion.Unsupported {
				continue
			}
			sum++
			now := after.Objects[i]
			switch {
			case o.Done != conversion.Unknown:
				counts["known without"]++
				if now.OS != o.OS {
					t.Errorf("%s is for %q, and for %q with a lock", o.Key(), o.OS, now.OS)
				}
			case now.Done != conversion.Unknown:
				counts["known with it: "+string(now.OS)]++
			case ofBoth(lock, o):
				counts["published for both systems"]++
			default:
				counts["unknown"]++
			}
		}
	}
	var text strings.Builder
	for _, what := range []string{
		"known without", "known with it: linux", "known with it: windows", "published for both systems", "unknown",
	} {
		fmt.Fprintf(&text, "%s: %d of %d\n", what, counts[what], sum)
	}
	golden.Equal(t, "testdata/images.golden", text.String())
}

// ofBoth reports whether all images of an object's pods are published for Linux and for Windows.
func ofBoth(lock *images.Lock, o conversion.Object) bool {
	object := pods.ReadObject(o.Tree)
	if object.Pods == nil {
		return false
	}
	for _, c := range object.Pods.Containers {
		ref, _ := tree.Text(c.Spec["image"])
		facts := lock.Facts(ref)
		if len(facts.For(platform.LinuxOS)) == 0 || len(facts.For(platform.WindowsOS)) == 0 {
			return false
		}
	}
	return true
}
