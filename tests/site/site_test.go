package site

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/tests/internal/browser"
)

// ruleOf returns the page and the anchor of a rule, whose heading has the rule's ID.
func ruleOf(t *testing.T, dir, id string) string {
	t.Helper()
	built := os.DirFS(dir)
	found := ""
	err := fs.WalkDir(built, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".html" {
			return err
		}
		d, err := read(built, name)
		for anchor := range d.ids {
			if lower := strings.ToLower(id); anchor == lower || strings.HasPrefix(anchor, lower+"-") && found == "" {
				found = name + "#" + anchor
			}
		}
		return err
	})
	if err != nil || found == "" {
		t.Fatalf("no page has an anchor of %s: %v", id, err)
	}
	return found
}

func TestTheStartPage(t *testing.T) {
	s, dir := buildSite(t)
	address := serve(t, s, dir)
	tab := open(t, address, browser.Desktop)
	c, err := gather(os.DirFS(s.Pages))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, section := range sections(c.pages[index]) {
		leadsToAPage := slices.ContainsFunc(section.links, func(l link) bool { return c.pages[l.target].source != "" })
		if leadsToAPage && section.title != "" {
			want = append(want, section.title)
		}
	}
	got := tab.Tells(t, `[...document.querySelectorAll(".VPSidebarItem.level-0 > .item > h2")]
		.map((e) => e.textContent)`)
	if len(want) == 0 || len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
		t.Errorf("the sidebar has the headings %q, want those of %s first: %q", got, index, want)
	}
	title := tab.Tells(t, `[document.querySelector("h1").firstChild.textContent.trim()]`)[0]
	if want := c.pages[start].title; title != want {
		t.Errorf("the start page is %q, want %q", title, want)
	}
	// Follow a link to another page, as visitors do.
	tab.Do(t, chromedp.Click(chromedp.CSS(`.VPSidebar a[href$="/docs/"]`)))
	tab.Await(t, `document.title.startsWith("`+c.pages[index].title+`")`)
	tab.IsQuiet(t, address)
}

func TestARuleIsReachedByItsAnchor(t *testing.T) {
	s, dir := buildSite(t)
	address := serve(t, s, dir)
	tab := open(t, address+ruleOf(t, dir, "MK118"), browser.Desktop)
	tab.Await(t, `(() => {
		const { top } = `+target+`.getBoundingClientRect();
		return top >= 0 && top < 200;
	})()`)
	tab.IsQuiet(t, address)
}

// target is the element of the anchor in the address.
const target = "document.getElementById(decodeURIComponent(location.hash.slice(1)))"

func TestTheSearch(t *testing.T) {
	s, dir := buildSite(t)
	address := serve(t, s, dir)
	for _, word := range []string{"MK118", "fsGroup"} {
		t.Run(word, func(t *testing.T) {
			tab := open(t, address, browser.Desktop)
			tab.Press(t, "/")
			tab.Await(t, `document.activeElement.matches("#localsearch-input")`)
			tab.Insert(t, word)
			// The first result has the word in its title.
			tab.Await(t, `[...document.querySelectorAll("#localsearch-list .result.selected mark")]
				.some((e) => e.textContent === "`+word+`")`)
			tab.LooksWell(t)
			tab.ShootWindow(t, "search-"+word)
			tab.Press(t, kb.Enter)
			tab.Await(t, `!document.querySelector(".VPLocalSearchBox") && !!`+target)
			heading := tab.Tells(t, "["+target+".innerText]")[0]
			if !strings.Contains(heading, word) {
				t.Errorf("the first result leads to %q", heading)
			}
			tab.IsQuiet(t, address)
		})
	}
}

func TestTheThemes(t *testing.T) {
	s, dir := buildSample(t)
	address := serve(t, s, dir)
	const shown = `[
		getComputedStyle(document.body).backgroundColor,
		...[...document.querySelectorAll("main img")]
			.filter((e) => e.checkVisibility()).map((e) => e.src.match(/fill=.*?%23(\w+)/)[1]),
	]`
	got := map[string][]string{}
	for _, v := range []browser.View{browser.Desktop, browser.Desktop.Dark()} {
		tab := open(t, address, v)
		got[v.Theme] = tab.Tells(t, shown)
		tab.IsQuiet(t, address)
	}
	want := map[string][]string{
		"light": {"rgb(255, 255, 255)", "00705a"},
		"dark":  {"rgb(27, 27, 31)", "45c5a5"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the themes (-want +got):\n%s", diff)
	}

	tab := open(t, address, browser.Desktop)
	tab.Do(t, chromedp.Focus(chromedp.CSS(".VPNavBar .VPSwitchAppearance")))
	tab.Press(t, kb.Enter)
	tab.Await(t, `document.documentElement.classList.contains("dark")`)
	tab.Do(t, chromedp.Navigate(address+"docs/tabs.html"))
	await(t, tab)
	if classes := tab.Tells(t, `[...document.documentElement.classList]`); !slices.Contains(classes, "dark") {
		t.Error("the next page does not have the chosen theme")
	}
}

func TestTabsWithTheKeyboard(t *testing.T) {
	s, dir := buildSample(t)
	address := serve(t, s, dir)
	tab := open(t, address+"docs/tabs.html", browser.Desktop)
	// The chosen tab of each block, its content, and the element with the focus.
	const shown = `[
		...[...document.querySelectorAll(".plugin-tabs")].map((e) =>
			e.querySelector("[role=tab][aria-selected=true]").innerText + ": " +
			e.querySelector("[role=tabpanel] code").innerText.trim()),
		document.activeElement.innerText,
	]`
	press := func(key string, want ...string) {
		t.Helper()
		tab.Press(t, key)
		tab.Await(t, `document.activeElement.matches("[aria-selected=true]")`)
		if diff := cmp.Diff(want, tab.Tells(t, shown)); diff != "" {
			t.Errorf("after the key %q (-want +got):\n%s", key, diff)
		}
	}
	tab.Do(t, chromedp.Focus(chromedp.CSS("[role=tab]")))
	press(kb.Home, `Go: fmt.Println("Go, {{ .Name }}")`, `Go: fmt.Println("Go again")`, "Go")
	press(kb.ArrowRight, `TypeScript: console.log("TypeScript")`, `TypeScript: console.log("TypeScript again")`,
		"TypeScript")
	// The second block has no tab for Python.
	press(kb.ArrowRight, `Python: print("Python")`, `Go: fmt.Println("Go again")`, "Python")
	press(kb.ArrowRight, `Go: fmt.Println("Go, {{ .Name }}")`, `Go: fmt.Println("Go again")`, "Go")
	press(kb.ArrowLeft, `Python: print("Python")`, `Go: fmt.Println("Go again")`, "Python")
	tab.ShootWindow(t, "tabs")
	tab.Do(t, chromedp.Navigate(address+"docs/tabs.html"))
	await(t, tab)
	if got := tab.Tells(t, shown)[0]; got != `Python: print("Python")` {
		t.Errorf("the next page shows %q", got)
	}
	tab.IsQuiet(t, address)
}

// The site shows braces and unknown tags as text, as GitHub does.
func TestTextThatVueCouldReadAsCode(t *testing.T) {
	s, dir := buildSample(t)
	address := serve(t, s, dir)
	tab := open(t, address+"docs/tabs.html", browser.Desktop)
	got := tab.Tells(t, `[...document.querySelectorAll("#by-language-1 ~ :is(p, pre)")].map((e) => e.innerText.trim())`)
	want := []string{
		"A pod is <pending> while {{ it }} waits, and <pending> or {{ it }} are the same in code.",
		"Indented code has {{ braces }} and <tags> too.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("it shows (-want +got):\n%s", diff)
	}
}

// focused is the element that has the focus, and whether the focus is visible.
const focused = `[(() => {
	const e = document.activeElement, style = getComputedStyle(e);
	const seen = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 && e.checkVisibility();
	return (e.getAttribute("aria-label") || e.title || e.innerText).trim() + (seen ? "" : " (not seen)");
})()]`

func TestTheSiteWithTheKeyboardAlone(t *testing.T) {
	s, dir := buildSample(t)
	address := serve(t, s, dir)
	tab := open(t, address, browser.Desktop)
	var order []string
	for range 8 {
		tab.Press(t, kb.Tab)
		order = append(order, tab.Tells(t, focused)[0])
	}
	want := []string{
		"Skip to content", "mixedkube", "Search", "Switch to dark theme", "github", "Overview", "Documentation",
		"First steps",
	}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("the order of the focus (-want +got):\n%s", diff)
	}
}

func TestThePagesLookWell(t *testing.T) {
	s, dir := buildSite(t)
	address := serve(t, s, dir)
	for name, page := range map[string]string{"start": "", "index": "docs/", "rule": ruleOf(t, dir, "MK118")} {
		for view, v := range map[string]browser.View{
			"desktop-light": browser.Desktop, "desktop-dark": browser.Desktop.Dark(),
			"phone-light": browser.Phone, "phone-dark": browser.Phone.Dark(),
		} {
			t.Run(name+"-"+view, func(t *testing.T) {
				tab := open(t, address+page, v)
				tab.LooksWell(t)
				tab.ShootWindow(t, name+"-"+view)
				tab.IsQuiet(t, address)
			})
		}
	}
}
