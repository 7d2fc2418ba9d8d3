package clustermap

import (
	"testing"

	"github.com/mixedkube/mixedkube/tests/internal/browser"
)

// boxes lists the texts that are not inside the picture or their card.
const boxes = `(() => {
	const wrong = [], view = document.documentElement.viewBox.baseVal;
	const cards = [...document.querySelectorAll("rect.card, rect.alarm")].map((e) => e.getBBox());
	let texts = 0;
	for (const text of document.querySelectorAll("text")) {
		const box = text.getBBox();
		texts++;
		if (box.x < 0 || box.x + box.width > view.width || box.y + box.height > view.height) {
			wrong.push("out of the picture: " + text.textContent);
		}
		for (const card of cards) {
			const inside = box.y >= card.y && box.y < card.y + card.height &&
				box.x >= card.x && box.x < card.x + card.width;
			if (inside && box.x + box.width > card.x + card.width) wrong.push("out of its card: " + text.textContent);
			if (inside && box.y + box.height > card.y + card.height) wrong.push("below its card: " + text.textContent);
		}
	}
	if (texts < 30) wrong.push("only " + texts + " texts are visible");
	return wrong.slice(0, 20);
})()`

func TestTextsFitIntoTheSVG(t *testing.T) {
	chrome := browser.Start(t)
	for name, file := range map[string]string{"3-pools": small(t, ".svg"), "100-pools": large(t, ".svg")} {
		for _, v := range []browser.View{browser.Desktop, browser.Desktop.Dark()} {
			page := chrome.Open(t, browser.File(file), v)
			for _, wrong := range page.Tells(t, boxes) {
				t.Errorf("%s: %s", name, wrong)
			}
			ground := map[string]string{"light": "rgb(245, 246, 248)", "dark": "rgb(14, 18, 24)"}[v.Theme]
			if got := page.Tells(t, `[getComputedStyle(document.querySelector(".ground")).fill]`)[0]; got != ground {
				t.Errorf("%s: in %s the ground is %s, want %s", name, v.Theme, got, ground)
			}
			page.Shoot(t, name+"-svg-"+v.Theme)
			page.IsQuiet(t, browser.File(file))
		}
	}
}
