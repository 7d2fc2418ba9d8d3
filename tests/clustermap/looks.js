// What is wrong with how the page looks, as a list of texts.
(() => {
	const wrong = [];
	const wide = document.documentElement.clientWidth;
	const name = (e) => `<${e.tagName.toLowerCase()} class="${e.getAttribute("class") || ""}"> ` +
		e.textContent.trim().slice(0, 40);
	const colour = (text) => {
		const found = text.match(/[\d.]+/g).map(Number);
		return { rgb: found.slice(0, 3), alpha: found.length > 3 ? found[3] : 1 };
	};
	const luminance = (rgb) => {
		const [r, g, b] = rgb.map((n) => { n /= 255; return n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4; });
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	// The colour behind an element: that of the first element around it that has one.
	const behind = (e) => {
		for (; e; e = e.parentElement) {
			const c = colour(getComputedStyle(e).backgroundColor);
			if (c.alpha === 1) return c.rgb;
			if (c.alpha > 0) wrong.push(`half transparent: ${name(e)}`);
		}
		return [255, 255, 255];
	};
	const hidden = (e) => e.closest(".hidden, .skip") || !e.checkVisibility();

	let texts = 0;
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const e = walker.currentNode.parentElement;
		if (!walker.currentNode.data.trim() || hidden(e)) continue;
		texts++;
		const front = luminance(colour(getComputedStyle(e).color).rgb), back = luminance(behind(e));
		const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
		if (contrast < 4.5) wrong.push(`contrast ${contrast.toFixed(2)}: ${name(e)}`);
		const range = document.createRange();
		range.selectNodeContents(walker.currentNode);
		for (const box of range.getClientRects()) {
			if (box.right > wide + 1 || box.left < -1) wrong.push(`out of the window: ${name(e)}`);
			const card = e.closest(".card, .problem, .table");
			if (card && box.right > card.getBoundingClientRect().right) wrong.push(`out of its card: ${name(e)}`);
			if (box.height < 12) wrong.push(`too small: ${name(e)}`);
		}
	}
	if (texts < 30) wrong.push(`only ${texts} texts are seen`);
	const scrolled = document.documentElement.scrollWidth;
	if (scrolled > wide) wrong.push(`the page is ${scrolled} wide`);
	// What can be clicked is large enough for a finger, or stands in a line of text (WCAG 2.2, 2.5.8).
	for (const e of document.querySelectorAll("summary, input")) {
		const box = e.getBoundingClientRect();
		if (!hidden(e) && box.height < 24) wrong.push(`${box.height} high: ${name(e)}`);
	}
	// No two texts of a card lie on each other.
	for (const card of document.querySelectorAll(".card")) {
		const texts = ".name, .nodes, .facts li, .taints li, .room dt, .amount, .pods li > *";
		const boxes = [...card.querySelectorAll(texts)]
			.filter((e) => !hidden(e)).map((e) => [e, e.getBoundingClientRect()]);
		for (const [i, [a, x]] of boxes.entries()) {
			for (const [b, y] of boxes.slice(i + 1)) {
				const across = Math.min(x.right, y.right) - Math.max(x.left, y.left);
				const down = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
				if (across > 1 && down > 6) wrong.push(`on each other: ${name(a)} and ${name(b)}`);
			}
		}
	}
	return [...new Set(wrong)].slice(0, 20);
})();
