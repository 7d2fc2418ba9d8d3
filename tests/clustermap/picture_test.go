package clustermap

import (
	_ "embed"
	"path/filepath"
	"strings"
	"testing"
)

//go:embed picture.js
var pictureLooks string

// In the pictures of the documentation every text stays in its box, nothing covers it, and its contrast is
// at least 4.5.
func TestThePicturesOfTheDocumentation(t *testing.T) {
	browser := browse(t)
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
		for _, v := range []view{{theme: "light", width: 800, height: 900}, {theme: "dark", width: 800, height: 900}} {
			t.Run(name+"-"+v.theme, func(t *testing.T) {
				page := browser.open(t, file, v)
				for _, wrong := range page.tells(t, pictureLooks) {
					t.Error(wrong)
				}
				page.shoot(t, "picture-"+name+"-"+v.theme)
				page.isQuiet(t, file)
			})
		}
	}
}
