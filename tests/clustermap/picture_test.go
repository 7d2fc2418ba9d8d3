package clustermap

import (
	_ "embed"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/tests/internal/browser"
)

//go:embed picture.js
var pictureLooks string

// In the pictures of the documentation every text stays in its box, nothing covers it, and its contrast is
// at least 4.5.
func TestThePicturesOfTheDocumentation(t *testing.T) {
	chrome := browser.Start(t)
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "pictures", "*.svg"))
	if err != nil || len(files) < 4 {
		t.Fatalf("the pictures are %q: %v", files, err)
	}
	for _, file := range files {
		file, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".svg")
		for _, theme := range []string{"light", "dark"} {
			v := browser.View{Theme: theme, Width: 800, Height: 900}
			t.Run(name+"-"+v.Theme, func(t *testing.T) {
				page := chrome.Open(t, browser.File(file), v)
				for _, wrong := range page.Tells(t, pictureLooks) {
					t.Error(wrong)
				}
				page.Shoot(t, "picture-"+name+"-"+v.Theme)
				page.IsQuiet(t, browser.File(file))
			})
		}
	}
}
