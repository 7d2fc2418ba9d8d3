// Returns the problems of the texts of a page as a list of strings.
(() => {
	const wrong = [];
	const wide = document.documentElement.clientWidth;
	const name = (e) => `<${e.tagName.toLowerCase()} class="${e.getAttribute("class") || ""}"> ` +
		e.textContent.trim().slice(0, 40);
	const color = (text) => {
		const found = text.match(/[\d.]+/g).map(Number);
		return { rgb: found.slice(0, 3), alpha: found.length > 3 ? found[3] : 1 };
	};
	const luminance = (rgb) => {
		const [r, g, b] = rgb.map((n) => { n /= 255; return n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4; });
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	// The color behind an element: the backgrounds of its ancestors, blended.
	const behind = (e) => {
		if (!e) return [255, 255, 255];
		const { rgb, alpha } = color(getComputedStyle(e).backgroundColor);
		return alpha === 1 ? rgb : behind(e.parentElement).map((n, i) => n * (1 - alpha) + rgb[i] * alpha);
	};
	const hidden = (e) => e.closest(".hidden, .skip, .visually-hidden") ||
		!e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
	const scrolls = (e) => e && (/auto|scroll/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));

	let texts = 0;
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const e = walker.currentNode.parentElement;
		if (!walker.currentNode.data.trim() || hidden(e)) continue;
		texts++;
		const front = luminance(color(getComputedStyle(e).color).rgb), back = luminance(behind(e));
		const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
		if (contrast < 4.5) wrong.push(`contrast ${contrast.toFixed(2)}: ${name(e)}`);
		const range = document.createRange();
		range.selectNodeContents(walker.currentNode);
		for (const box of range.getClientRects()) {
			if ((box.right > wide + 1 || box.left < -1) && !scrolls(e)) wrong.push(`out of the window: ${name(e)}`);
			if (box.height < 12) wrong.push(`too small: ${name(e)}`);
		}
	}
	if (texts < 30) wrong.push(`only ${texts} texts are seen`);
	const scrolled = document.documentElement.scrollWidth;
	if (scrolled > wide) wrong.push(`the page is ${scrolled} wide`);
	return [...new Set(wrong)].slice(0, 20);
})();
