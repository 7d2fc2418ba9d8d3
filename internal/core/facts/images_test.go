package facts

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// withoutDigest is why an image has no digest.
const withoutDigest = "no known public source publishes it for this release"

// images are all constants of images.go that name an image, and why one has no digest.
var images = map[string]struct{ reference, reason string }{
	"HostProcessImage":         {HostProcessImage, ""},
	"BusyBoxImage":             {BusyBoxImage, ""},
	"FlannelImage":             {FlannelImage, withoutDigest},
	"FlannelPluginImage":       {FlannelPluginImage, withoutDigest},
	"WindowsExporterImage":     {WindowsExporterImage, withoutDigest},
	"CSIProxyImage":            {CSIProxyImage, withoutDigest},
	"NodeProblemDetectorImage": {NodeProblemDetectorImage, withoutDigest},
}

var pinned = regexp.MustCompile(`^[a-z0-9.-]+/[a-z0-9/.-]+:[A-Za-z0-9._-]+@sha256:[0-9a-f]{64}$`)

func TestImagesHaveTheirDigest(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "images.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for _, name := range spec.Names {
			if !strings.HasSuffix(name.Name, "Image") {
				continue
			}
			named++
			image, ok := images[name.Name]
			switch {
			case !ok:
				t.Errorf("%s is not in the test: add it, with its digest or with the reason why it has none", name.Name)
			case image.reason == "" && !pinned.MatchString(image.reference):
				t.Errorf("%s is %s: want a tag and a digest", name.Name, image.reference)
			case image.reason != "" && strings.Contains(image.reference, "@"):
				t.Errorf("%s has a digest now: remove the reason", name.Name)
			}
		}
		return true
	})
	if named != len(images) {
		t.Errorf("images.go has %d images, and the test %d", named, len(images))
	}
}
