package conversion_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
)

// Facts from registries complete pods, so that no question is left.
func TestImagesFromALockFile(t *testing.T) {
	t.Parallel()
	const in2019, in2022, in2025 = "10.0.17763.5820", "10.0.20348.2461", "10.0.26100.1742"
	windows := func(builds ...string) []platform.Variant {
		var all []platform.Variant
		for _, build := range builds {
			all = append(all, platform.Variant{OS: platform.WindowsOS, OSVersion: build, Architecture: "amd64"})
		}
		return all
	}
	linux := platform.Variant{OS: platform.LinuxOS, Architecture: "arm64"}
	two := []platform.Platform{platform.WindowsServer2022, platform.WindowsServer2025}
	for _, tt := range []struct {
		name     string
		windows  []platform.Platform
		variants []platform.Variant
		done     conversion.Done
		platform platform.Platform
		detail   string
	}{
		{"nothing", two, nil, conversion.Unknown, "", "nor do the images (shop:1)"},
		{"Linux", two, []platform.Variant{linux}, conversion.Completed, platform.Linux, ""},
		{"one release", two, windows(in2025), conversion.Completed, platform.WindowsServer2025, ""},
		{
			"several releases, with a pool for one", two, windows(in2019, in2022), conversion.Completed,
			platform.WindowsServer2022, "",
		},
		{"all releases", two, windows(in2022, in2025), conversion.Completed, "", ""},
		{
			"no release with a pool", two, windows(in2019), conversion.Wrong, "",
			"has Windows Server 2019, but the pod can land on the pools win22 and win25",
		},
		{
			"both systems", two, append(windows(in2022), linux), conversion.Unknown, "",
			"the images are published for both (shop:1)",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			lock := &images.Lock{}
			if err := lock.Set("shop:1", &platform.Facts{Digest: "sha256:index", Variants: tt.variants}); err != nil {
				t.Fatal(err)
			}
			options := conversion.Options{Topology: cluster(true, tt.windows...)}.WithImages(lock)
			r := convert(t, options, conversion.File{Name: "a.yaml", Text: []byte("apiVersion: v1\nkind: Pod\n" +
				"metadata:\n  name: shop\nspec:\n  containers:\n    - name: shop\n      image: shop:1\n")})
			o := r.Objects[0]
			if o.Done != tt.done || o.Platform != tt.platform {
				t.Errorf("%s for %q, want %s for %q", o.Done, o.Platform, tt.done, tt.platform)
			}
			if text := report(r); !strings.Contains(text, tt.detail) {
				t.Errorf("it says:\n%s\nwant %q", text, tt.detail)
			}
		})
	}
}
