// Lists the problems in the look of the cards and the controls.
(() => {
	const wrong = [];
	const name = (e) => `<${e.tagName.toLowerCase()} class="${e.getAttribute("class") || ""}"> ` +
		e.textContent.trim().slice(0, 40);
	const hidden = (e) => e.closest(".hidden, .skip") || !e.checkVisibility();
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const e = walker.currentNode.parentElement;
		const card = e.closest(".card, .problem, .table");
		if (!card || !walker.currentNode.data.trim() || hidden(e)) continue;
		const range = document.createRange();
		range.selectNodeContents(walker.currentNode);
		for (const box of range.getClientRects()) {
			if (box.right > card.getBoundingClientRect().right) wrong.push(`out of its card: ${name(e)}`);
		}
	}
	// Elements that users can click are large enough for a finger, or are in a line of text (WCAG 2.2, 2.5.8).
	for (const e of document.querySelectorAll("summary, input")) {
		const box = e.getBoundingClientRect();
		if (!hidden(e) && box.height < 24) wrong.push(`${box.height} high: ${name(e)}`);
	}
	// No two texts of a card overlap.
	for (const card of document.querySelectorAll(".card")) {
		const texts = ".name, .nodes, .facts li, .taints li, .room dt, .amount, .pods li > *";
		const boxes = [...card.querySelectorAll(texts)]
			.filter((e) => !hidden(e)).map((e) => [e, e.getBoundingClientRect()]);
		for (const [i, [a, x]] of boxes.entries()) {
			for (const [b, y] of boxes.slice(i + 1)) {
				const across = Math.min(x.right, y.right) - Math.max(x.left, y.left);
				const down = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
				if (across > 1 && down > 6) wrong.push(`overlap: ${name(a)} and ${name(b)}`);
			}
		}
	}
	return [...new Set(wrong)].slice(0, 20);
})();
