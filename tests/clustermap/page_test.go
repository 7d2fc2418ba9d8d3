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

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/internal/browser"
)

//go:embed looks.js
var looks string

// In the browser, every text has a contrast of at least 4.5, nothing is cut or overlaps,
// and the page requests no other resource.
func TestThePageLooksWellInAllViews(t *testing.T) {
	chrome := browser.Start(t)
	for name, file := range map[string]string{"3-pools": small(t, ".html"), "100-pools": large(t, ".html")} {
		for view, v := range map[string]browser.View{
			"desktop-light": browser.Desktop, "desktop-dark": browser.Desktop.Dark(),
			"phone-light": browser.Phone, "phone-dark": browser.Phone.Dark(),
		} {
			t.Run(name+"-"+view, func(t *testing.T) {
				page := chrome.Open(t, browser.File(file), v)
				looksWell(t, page)
				page.Shoot(t, name+"-"+view)
				// With all details open.
				page.Tells(t, `[...document.querySelectorAll("details")].map((d) => { d.open = true; return "" })`)
				looksWell(t, page)
				page.IsQuiet(t, browser.File(file))
			})
		}
	}
}

func looksWell(t *testing.T, page *browser.Tab) {
	t.Helper()
	page.LooksWell(t)
	for _, wrong := range page.Tells(t, looks) {
		t.Error(wrong)
	}
}

// The light and the dark theme differ.
func TestThePageFollowsTheTheme(t *testing.T) {
	chrome := browser.Start(t)
	file := small(t, ".html")
	colors := map[string]string{}
	for _, v := range []browser.View{browser.Desktop, browser.Desktop.Dark()} {
		colors[v.Theme] = strings.Join(chrome.Open(t, browser.File(file), v).Tells(t,
			`["body", ".card", ".badge"].map((s) => getComputedStyle(document.querySelector(s)).backgroundColor)`), " ")
	}
	want := map[string]string{
		"light": "rgb(245, 246, 248) rgb(255, 255, 255) rgb(0, 112, 90)",
		"dark":  "rgb(14, 18, 24) rgb(22, 28, 36) rgb(69, 197, 165)",
	}
	if diff := cmp.Diff(want, colors); diff != "" {
		t.Errorf("the colors of page, cards and badges (-want +got):\n%s", diff)
	}
}

// focused is the element that has the focus, and whether the focus is visible.
const focused = `[(() => {
	const e = document.activeElement, style = getComputedStyle(e);
	const seen = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
	return (e.id || e.textContent.trim()) + (seen ? "" : " (not seen)");
})()]`

func TestThePageWithTheKeyboardAlone(t *testing.T) {
	chrome := browser.Start(t)
	file := small(t, ".html")
	page := chrome.Open(t, browser.File(file), browser.Desktop)
	press := func(key string) string {
		t.Helper()
		page.Do(t, chromedp.KeyEvent(key))
		return page.Tells(t, focused)[0]
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

	page = chrome.Open(t, browser.File(file), browser.Desktop)
	press(kb.Tab)
	page.Do(t, chromedp.KeyEvent(kb.Enter))
	if got := press(kb.Tab); got != "monitoring/node-exporter" {
		t.Errorf("after the link to the pools, the focus moves to %q", got)
	}
	// A workload links to its row in the table, and highlights its pools while it has the focus.
	lit := page.Tells(t, `[...document.querySelectorAll(".lit .name")].map((e) => e.textContent)`)
	if !slices.Equal(lit, []string{"sys"}) {
		t.Errorf("the highlighted pools are %q", lit)
	}
	page.Do(t, chromedp.KeyEvent(kb.Enter))
	target := page.Tells(t, `[document.querySelector(":target th").textContent]`)[0]
	if target != "monitoring/node-exporter" {
		t.Errorf("the link leads to %q", target)
	}
	page.IsQuiet(t, browser.File(file))
}

func TestTheFilter(t *testing.T) {
	chrome := browser.Start(t)
	page := chrome.Open(t, browser.File(large(t, ".html")), browser.Desktop)
	shown := func() []string {
		return page.Tells(t, `[".card", "tbody tr", ".problem", ".group"].map((s) =>
			String([...document.querySelectorAll(s)].filter((e) => e.checkVisibility()).length))
			.concat(document.querySelector("output").value)`)
	}
	if diff := cmp.Diff([]string{"100", "300", "2", "4", ""}, shown()); diff != "" {
		t.Errorf("without a filter (-want +got):\n%s", diff)
	}
	// In one step: each key press lays out the whole page.
	page.Tells(t, `(() => {
		const input = document.querySelector("#filter");
		input.value = "WIN25-05 server";
		input.dispatchEvent(new Event("input"));
		return [];
	})()`)
	// The pool, and the workloads that land there.
	want := []string{"1", "3", "0", "1", "1 of 100 pools, 3 of 300 workloads"}
	if diff := cmp.Diff(want, shown()); diff != "" {
		t.Errorf("filtered by win25-05 (-want +got):\n%s", diff)
	}
	page.Tells(t, `[location.hash = "workload-7"]`)
	page.Do(t, chromedp.WaitVisible(chromedp.CSS("#workload-7")))
	if got := shown(); got[1] != "300" || got[4] != "" {
		t.Errorf("a link to a workload that the filter hides shows %q", got)
	}
}

func TestTheFilterWithTheKeyboard(t *testing.T) {
	chrome := browser.Start(t)
	page := chrome.Open(t, browser.File(small(t, ".html")), browser.Desktop)
	page.Do(t, chromedp.SendKeys(chromedp.CSS("#filter"), "win25"+kb.Enter))
	got := page.Tells(t, `[document.querySelector("output").value, location.search]`)
	if diff := cmp.Diff([]string{"1 of 3 pools, 2 of 7 workloads", ""}, got); diff != "" {
		t.Errorf("filtered by win25 (-want +got):\n%s", diff)
	}
}

// Without scripts only the filter is missing.
func TestThePageWithoutScripts(t *testing.T) {
	chrome := browser.Start(t)
	file := small(t, ".html")
	page := chrome.Open(t, browser.File(file), browser.View{Theme: "light", Width: 1280, Height: 900, NoScript: true})
	got := page.Tells(t, `[".card", "tbody tr", ".problem", "form"].map((s) =>
		String([...document.querySelectorAll(s)].filter((e) => e.checkVisibility()).length))`)
	if diff := cmp.Diff([]string{"3", "7", "1", "0"}, got); diff != "" {
		t.Errorf("cards, workloads, problems and filter (-want +got):\n%s", diff)
	}
	page.IsQuiet(t, browser.File(file))
}

// spoken returns the accessibility tree that a screen reader reads: the roles and names of the relevant nodes,
// indented.
func spoken(t *testing.T, page *browser.Tab) []string {
	t.Helper()
	tree, err := chromedp.Call(page, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		t.Fatal(err)
	}
	nodes := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range tree.Nodes {
		nodes[n.NodeID] = n
	}
	var lines []string
	var walk func(n *accessibility.Node)
	walk = func(n *accessibility.Node) {
		if line := spokenOf(n); line != "" {
			lines = append(lines, line)
		}
		for _, id := range n.ChildIDs {
			if child := nodes[id]; child != nil {
				walk(child)
			}
		}
	}
	walk(tree.Nodes[0])
	return lines
}

// spokenOf returns the role and the name of a node, or "" if the node is not relevant.
func spokenOf(n *accessibility.Node) string {
	if n.Ignored || n.Role == nil {
		return ""
	}
	role := text(n.Role)
	if !slices.Contains([]string{
		"banner", "main", "contentinfo", "search", "region", "heading", "table", "columnheader", "rowheader", "cell",
		"searchbox", "link", "DisclosureTriangle", "list", "image", "button", "alert",
	}, role) {
		return ""
	}
	line := role + " " + text(n.Name)
	for _, p := range n.Properties {
		if p.Name == "level" {
			line = fmt.Sprintf("%s %s", line, p.Value.Value)
		}
	}
	return strings.TrimSpace(line)
}

func text(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	return strings.Trim(string(v.Value), `"`)
}

func TestScreenReaderOutput(t *testing.T) {
	chrome := browser.Start(t)
	for _, v := range []browser.View{browser.Desktop, browser.Phone} {
		page := chrome.Open(t, browser.File(small(t, ".html")), v)
		golden.Equal(t, "testdata/spoken.txt", strings.Join(spoken(t, page), "\n")+"\n")
	}
}

func TestScreenReaderOutputOfAHundredPools(t *testing.T) {
	chrome := browser.Start(t)
	page := chrome.Open(t, browser.File(large(t, ".html")), browser.Desktop)
	counts := map[string]int{}
	level := 0
	unnamed := []string{"banner", "main", "contentinfo", "search", "list", "cell"}
	for _, line := range spoken(t, page) {
		role, name, _ := strings.Cut(line, " ")
		counts[role]++
		if name == "" && !slices.Contains(unnamed, role) {
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
			t.Errorf("there are %d nodes with the role %s, want %d", counts[role], role, n)
		}
	}
}

// Names that contain scripts are shown as text, and the scripts do not run.
func TestHostileNamesRunNothing(t *testing.T) {
	chrome := browser.Start(t)
	const payload = `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'><svg onload=alert(3)>`
	dir := t.TempDir()
	manifest := filepath.Join(dir, "hostile.yaml")
	err := os.WriteFile(manifest, []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: |-\n    "+payload+
		"\nspec: {template: {spec: {containers: [{name: a, image: 'a.example/a'}]}}}\n"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for _, extension := range []string{".html", ".svg"} {
		file := draw(t, extension, "--title", payload, "--topology", "testdata/cluster.yaml", manifest)
		page := chrome.Open(t, browser.File(file), browser.Desktop)
		shown := page.Tells(t, `[document.querySelector("h1, text.title").textContent]`)[0]
		if !strings.HasPrefix(shown, "</script><script>alert(1)") {
			t.Errorf("%s: the title is %q", extension, shown)
		}
		if n := page.Tells(t, `[String(document.querySelectorAll("img, [onload], [onerror]").length)]`); n[0] != "0" {
			t.Errorf("%s: there are %s elements of the payload", extension, n)
		}
		page.IsQuiet(t, browser.File(file))
	}
}
