package clustermap

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

//go:embed looks.js
var looks string

// Every text has a contrast of 4.5 as the browser shows it, nothing is cut or lies on something else,
// and the page asks for nothing but itself.
func TestThePageIsWellInAllViews(t *testing.T) {
	browser := browse(t)
	for name, file := range map[string]string{"3-pools": small(t, ".html"), "100-pools": large(t, ".html")} {
		for view, v := range map[string]view{
			"desktop-light": desktop, "desktop-dark": desktop.dark(), "phone-light": phone, "phone-dark": phone.dark(),
		} {
			t.Run(name+"-"+view, func(t *testing.T) {
				page := open(t, browser, file, v)
				for _, wrong := range page.tells(t, looks) {
					t.Error(wrong)
				}
				page.shoot(t, name+"-"+view)
				// With all that is behind a click.
				page.tells(t, `[...document.querySelectorAll("details")].map((d) => { d.open = true; return "" })`)
				for _, wrong := range page.tells(t, looks) {
					t.Errorf("opened: %s", wrong)
				}
				page.isQuiet(t, file)
			})
		}
	}
}

// The themes are not one theme.
func TestThePageFollowsTheTheme(t *testing.T) {
	browser := browse(t)
	file := small(t, ".html")
	colours := map[string]string{}
	for _, v := range []view{desktop, desktop.dark()} {
		colours[v.theme] = strings.Join(open(t, browser, file, v).tells(t,
			`["body", ".card", ".badge"].map((s) => getComputedStyle(document.querySelector(s)).backgroundColor)`), " ")
	}
	want := map[string]string{
		"light": "rgb(245, 246, 248) rgb(255, 255, 255) rgb(0, 112, 90)",
		"dark":  "rgb(14, 18, 24) rgb(22, 28, 36) rgb(69, 197, 165)",
	}
	if diff := cmp.Diff(want, colours); diff != "" {
		t.Errorf("the colours of page, cards and badges (-want +got):\n%s", diff)
	}
}

// focused is what has the focus, and whether that is seen.
const focused = `[(() => {
	const e = document.activeElement, style = getComputedStyle(e);
	const seen = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
	return (e.id || e.textContent.trim()) + (seen ? "" : " (not seen)");
})()]`

func TestThePageWithTheKeyboardAlone(t *testing.T) {
	browser := browse(t)
	file := small(t, ".html")
	page := open(t, browser, file, desktop)
	press := func(key string) string {
		t.Helper()
		page.do(t, chromedp.KeyEvent(key))
		return page.tells(t, focused)[0]
	}
	var order []string
	for range 14 {
		order = append(order, press(kb.Tab))
	}
	want := []string{
		"Skip to the pools", "filter",
		"monitoring/node-exporter", "shop/gateway", "shop/orders", // sys
		"shop/nightly-import", "shop/storefront", // win22
		"shop/nightly-import", "shop/reports", // win25
		"sys", "sys", "Pending", "win22", "win25", // the table
	}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("the order of the focus (-want +got):\n%s", diff)
	}

	page = open(t, browser, file, desktop)
	press(kb.Tab)
	page.do(t, chromedp.KeyEvent(kb.Enter))
	if got := press(kb.Tab); got != "monitoring/node-exporter" {
		t.Errorf("after the pools were skipped to, the focus goes to %q", got)
	}
	// A workload leads to its line in the table, and shows its pools meanwhile.
	lit := page.tells(t, `[...document.querySelectorAll(".lit .name")].map((e) => e.textContent)`)
	if !slices.Equal(lit, []string{"sys"}) {
		t.Errorf("the pools that are lit are %q", lit)
	}
	page.do(t, chromedp.KeyEvent(kb.Enter))
	target := page.tells(t, `[document.querySelector(":target th").textContent]`)[0]
	if target != "monitoring/node-exporter" {
		t.Errorf("the link leads to %q", target)
	}
	page.isQuiet(t, file)
}

func TestTheFilter(t *testing.T) {
	browser := browse(t)
	page := open(t, browser, large(t, ".html"), desktop)
	shown := func() []string {
		return page.tells(t, `[".card", "tbody tr", ".problem", ".group"].map((s) =>
			String([...document.querySelectorAll(s)].filter((e) => e.checkVisibility()).length))
			.concat(document.querySelector("output").value)`)
	}
	if got, want := shown(), []string{"100", "300", "1", "4", ""}; !slices.Equal(got[:2], want[:2]) || got[3] != "4" ||
		got[4] != "" {
		t.Errorf("at the beginning it shows %q", got)
	}
	page.do(t, chromedp.SendKeys(chromedp.CSS("#filter"), "WIN25-05 server"))
	if got, want := shown()[:2], []string{"1", "0"}; !slices.Equal(got, want) {
		t.Errorf("of win25-05 it shows %q, want %q", got, want)
	}
	if got := shown(); got[3] != "1" || got[4] != "1 of 100 pools, 0 of 300 workloads" {
		t.Errorf("of win25-05 it shows %q", got)
	}
	page.tells(t, `[location.hash = "workload-7"]`)
	page.do(t, chromedp.WaitVisible(chromedp.CSS("#workload-7")))
	if got := shown(); got[1] != "300" || got[4] != "" {
		t.Errorf("a link to what the filter hides shows %q", got)
	}
}

// Without scripts all is there but the filter.
func TestThePageWithoutScripts(t *testing.T) {
	browser := browse(t)
	file := small(t, ".html")
	page := open(t, browser, file, view{theme: "light", width: 1280, height: 900, noScript: true})
	got := page.tells(t, `[".card", "tbody tr", ".problem", "form"].map((s) =>
		String([...document.querySelectorAll(s)].filter((e) => e.checkVisibility()).length))`)
	if diff := cmp.Diff([]string{"3", "7", "1", "0"}, got); diff != "" {
		t.Errorf("cards, workloads, problems and filter (-want +got):\n%s", diff)
	}
	page.isQuiet(t, file)
}

// spoken is what a screen reader is told: roles and names, indented, of what matters.
func spoken(t *testing.T, page *tab) []string {
	t.Helper()
	tree, err := chromedp.Call(page, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, n := range tree.Nodes {
		if n.Ignored || n.Role == nil {
			continue
		}
		role := text(n.Role)
		if !slices.Contains([]string{
			"banner", "main", "contentinfo", "search", "region", "heading", "table", "columnheader", "rowheader",
			"searchbox", "link", "DisclosureTriangle", "list", "image", "button", "alert",
		}, role) {
			continue
		}
		line := role + " " + text(n.Name)
		for _, p := range n.Properties {
			if p.Name == "level" {
				line = fmt.Sprintf("%s %s", line, p.Value.Value)
			}
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

func text(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	return strings.Trim(string(v.Value), `"`)
}

func TestWhatAScreenReaderIsTold(t *testing.T) {
	browser := browse(t)
	for _, v := range []view{desktop, phone} {
		page := open(t, browser, small(t, ".html"), v)
		want, err := os.ReadFile("testdata/spoken.txt")
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(spoken(t, page), "\n") + "\n"
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%d wide (-want +got):\n%s", v.width, diff)
		}
	}
}

func TestAHundredPoolsAsAScreenReaderIsTold(t *testing.T) {
	browser := browse(t)
	page := open(t, browser, large(t, ".html"), desktop)
	counts := map[string]int{}
	level := 0
	for _, line := range spoken(t, page) {
		role, name, _ := strings.Cut(line, " ")
		counts[role]++
		if name == "" && !slices.Contains([]string{"banner", "main", "contentinfo", "search"}, role) && role != "list" {
			t.Errorf("%q has no name", line)
		}
		if role == "heading" {
			next := int(name[len(name)-1] - '0')
			if next > level+1 {
				t.Errorf("%q comes after a heading of level %d", line, level)
			}
			level = next
		}
	}
	want := map[string]int{"region": 7, "DisclosureTriangle": 101, "rowheader": 300, "columnheader": 5, "table": 1}
	for role, n := range want {
		if counts[role] != n {
			t.Errorf("there are %d times %s, want %d", counts[role], role, n)
		}
	}
}

// Names that would be scripts run nothing, and are shown.
func TestHostileNamesRunNothing(t *testing.T) {
	browser := browse(t)
	const payload = `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'><svg onload=alert(3)>`
	folder := t.TempDir()
	manifest := filepath.Join(folder, "hostile.yaml")
	err := os.WriteFile(manifest, []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: |-\n    "+payload+
		"\nspec: {template: {spec: {containers: [{name: a, image: 'a.example/a'}]}}}\n"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for _, extension := range []string{".html", ".svg"} {
		file := draw(t, extension, "--title", payload, "--topology", "testdata/cluster.yaml", manifest)
		page := open(t, browser, file, desktop)
		shown := page.tells(t, `[document.querySelector("h1, text.title").textContent]`)[0]
		if !strings.HasPrefix(shown, "</script><script>alert(1)") {
			t.Errorf("%s: the title is %q", extension, shown)
		}
		if n := page.tells(t, `[String(document.querySelectorAll("img, [onload], [onerror]").length)]`); n[0] != "0" {
			t.Errorf("%s: there are %s elements of the payload", extension, n)
		}
		page.isQuiet(t, file)
	}
}
