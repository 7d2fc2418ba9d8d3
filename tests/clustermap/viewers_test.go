package clustermap

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab/debian"
	"github.com/mixedkube/mixedkube/tests/internal/browser"
	"github.com/mixedkube/mixedkube/tests/internal/unpacked"
)

// allSVGs returns the SVGs of the repository and a map of each kind, by name.
func allSVGs(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{
		"a map of 3 pools":        small(t, ".svg"),
		"a map of 100 pools":      large(t, ".svg"),
		"a map of a live cluster": draw(t, ".svg", "testdata/live.yaml"),
		"a map without workloads": draw(t, ".svg", "--topology", "testdata/cluster.yaml", "testdata/none.yaml"),
	}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if name := entry.Name(); entry.IsDir() && (name == "node_modules" || name == ".git" || name == "dist") {
			return fs.SkipDir
		}
		if filepath.Ext(path) == ".svg" {
			all[strings.TrimPrefix(filepath.ToSlash(path), "../../")] = path
		}
		return err
	})
	if err != nil || len(all) < 10 {
		t.Fatalf("there are only %d pictures: %v", len(all), err)
	}
	return all
}

// darkRules is the part of a picture's style that a browser applies in its dark theme.
var darkRules = regexp.MustCompile(`(?s)@media \(prefers-color-scheme: dark\) \{\n(.*?)\n\}\n`)

// Viewers such as librsvg do not support CSS variables and media queries. They show every picture in the colors that a
// browser shows, and the colors of the dark theme are right as well: librsvg draws them if they always apply.
func TestEveryViewerShowsTheColorsOfTheBrowser(t *testing.T) {
	program := unpacked.Program(t, debian.RSVGConvert)
	chrome := browser.Start(t)
	for name, file := range allSVGs(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for theme, text := range map[string]string{
			"light": string(data), "dark": darkRules.ReplaceAllString(string(data), "$1\n"),
		} {
			t.Run(name+" in "+theme, func(t *testing.T) {
				width, height := size(t, text)
				page := chrome.Open(t, browser.File(embed(t, file, width, height)), browser.View{
					Theme: theme, Width: int64(width), Height: int64(height),
				})
				page.Shoot(t, strings.NewReplacer("/", "-", " ", "-").Replace("viewer "+name+" "+theme))
				other := convert(t, program, text, width, height)
				for _, difference := range differences(text, decoded(t, page.Picture(t)), decoded(t, other)) {
					t.Error(difference)
				}
			})
		}
	}
}

var sizes = regexp.MustCompile(`viewBox="0 0 ([\d.]+) ([\d.]+)"|width="([\d.]+)" height="([\d.]+)"`)

// size returns the size of a picture, enlarged if it is smaller than a window.
func size(t *testing.T, text string) (width, height int) {
	t.Helper()
	found := sizes.FindStringSubmatch(text)
	if found == nil {
		t.Fatal("the picture has no size")
	}
	for i, n := range []*int{&width, &height} {
		length, err := strconv.ParseFloat(found[1+i]+found[3+i], 64)
		if err != nil {
			t.Fatal(err)
		}
		*n = int(length)
	}
	const least = 600
	factor := (least + width - 1) / width
	return factor * width, factor * height
}

// embed writes a page that shows only a picture.
func embed(t *testing.T, picture string, width, height int) string {
	t.Helper()
	at, err := filepath.Abs(picture)
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(t.TempDir(), "page.html")
	text := fmt.Sprintf(`<!doctype html><meta name="color-scheme" content="light dark"><body style="margin: 0">`+
		`<img src="%s" width="%d" height="%d" style="display: block">`, browser.File(at), width, height)
	if err := os.WriteFile(page, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return page
}

// convert draws a picture with librsvg.
func convert(t *testing.T, program, text string, width, height int) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), program, "--width", strconv.Itoa(width), "--height", strconv.Itoa(height))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), &stdout, &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		t.Fatalf("%v: %v\n%s", cmd, err, &stderr)
	}
	return stdout.Bytes()
}

func decoded(t *testing.T, data []byte) *image.RGBA {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	rgba := image.NewRGBA(picture.Bounds())
	imagedraw.Draw(rgba, rgba.Bounds(), picture, picture.Bounds().Min, imagedraw.Src)
	return rgba
}

var hexColor = regexp.MustCompile(`#[0-9a-f]{6}\b`)

// differences compares the colors of a picture in two viewers. The edges of shapes and of letters differ slightly: so
// it compares each pixel inside of a shape, and how many pixels have a color that the picture names, such as that of a
// text.
func differences(text string, browser, other *image.RGBA) []string {
	area := browser.Bounds()
	if area != other.Bounds() {
		return []string{fmt.Sprintf("the sizes are %v and %v", area, other.Bounds())}
	}
	var wrong []string
	compared, shown := 0, 0
	inBrowser, inOther := map[color.RGBA]int{}, map[color.RGBA]int{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			a, b := browser.RGBAAt(x, y), other.RGBAAt(x, y)
			if b.A < 255 {
				continue // the page of a browser is not transparent
			}
			shown++
			inBrowser[a]++
			inOther[b]++
			if !flat(browser, x, y) || !flat(other, x, y) {
				continue
			}
			compared++
			if !same(a, b) && len(wrong) < 10 {
				wrong = append(wrong, fmt.Sprintf("at %d,%d the browser shows %s, and librsvg "+
					"%s", x, y, hex(a), hex(b)))
			}
		}
	}
	if all := area.Dx() * area.Dy(); shown < all/3 || compared < all/5 {
		wrong = append(wrong, fmt.Sprintf("only %d of %d pixels are shown, and %d are inside of shapes", shown, all,
			compared))
	}
	const few, share = 150, 10
	for c, n := range inBrowser {
		if n >= few && inOther[c] < n/share && slices.Contains(hexColor.FindAllString(text, -1), hex(c)) {
			wrong = append(wrong, fmt.Sprintf("the browser shows %d pixels of %s, and librsvg "+
				"%d", n, hex(c), inOther[c]))
		}
	}
	slices.Sort(wrong)
	return wrong
}

// flat reports whether the pixels around a pixel have its color.
func flat(picture *image.RGBA, x, y int) bool {
	c := picture.RGBAAt(x, y)
	for dy := -2; dy <= 2; dy++ {
		for dx := -2; dx <= 2; dx++ {
			p := image.Pt(x+dx, y+dy)
			if p.In(picture.Rect) && picture.RGBAAt(p.X, p.Y) != c {
				return false
			}
		}
	}
	return true
}

// same reports whether two colors are equal, except for the rounding of a mixed color.
func same(a, b color.RGBA) bool {
	for i, channel := range []uint8{a.R, a.G, a.B} {
		if d := int(channel) - int([]uint8{b.R, b.G, b.B}[i]); d < -2 || d > 2 {
			return false
		}
	}
	return true
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
