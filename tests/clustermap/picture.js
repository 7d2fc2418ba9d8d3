// Lists the problems in the look of a picture.
(() => {
	const wrong = [], view = document.documentElement.viewBox.baseVal;
	const color = (text) => text.match(/[\d.]+/g).map(Number);
	const luminance = (rgb) => {
		const [r, g, b] = rgb.map((n) => { n /= 255; return n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4; });
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const rects = [...document.querySelectorAll("rect")]
		.map((e) => ({ box: e.getBBox(), fill: getComputedStyle(e).fill }));
	const texts = [...document.querySelectorAll("text")].map((e) => ({ e, box: e.getBBox(), name: e.textContent }));
	const holds = (box, x, y) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
	for (const { e, box, name } of texts) {
		const behind = rects.filter((r) => holds(r.box, box.x + box.width / 2, box.y + box.height / 2));
		// A rectangle that is lower than the line is a bar, not the box of the text.
		const inside = behind.filter((r) => r.box.height > box.height).at(-1) || { box: view };
		if (box.x < inside.box.x + 2 || box.x + box.width > inside.box.x + inside.box.width - 2 ||
			box.y < inside.box.y || box.y + box.height > inside.box.y + inside.box.height) {
			wrong.push("out of its box: " + name);
		}
		const ground = behind.filter((r) => r.fill !== "none").at(-1);
		const front = luminance(color(getComputedStyle(e).fill).slice(0, 3));
		const back = luminance(color(ground.fill).slice(0, 3));
		const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
		if (contrast < 4.5) wrong.push("contrast " + contrast.toFixed(2) + ": " + name);
	}
	for (const [i, a] of texts.entries()) {
		for (const b of texts.slice(i + 1)) {
			const across = Math.min(a.box.x + a.box.width, b.box.x + b.box.width) - Math.max(a.box.x, b.box.x);
			const down = Math.min(a.box.y + a.box.height, b.box.y + b.box.height) - Math.max(a.box.y, b.box.y);
			if (across > 0.5 && down > 2) wrong.push("overlap: " + a.name + " and " + b.name);
		}
	}
	for (const path of document.querySelectorAll("path")) {
		const length = path.getTotalLength();
		for (let at = 0; at <= length; at += 2) {
			const point = path.getPointAtLength(at);
			const crossed = texts.find(({ box }) => holds({ ...box, x: box.x, y: box.y + 1, width: box.width,
				height: box.height - 2 }, point.x, point.y));
			if (crossed) {
				wrong.push("a line crosses: " + crossed.name);
				break;
			}
		}
	}
	if (texts.length < 20) wrong.push("only " + texts.length + " texts are visible");
	return wrong.slice(0, 20);
})()
