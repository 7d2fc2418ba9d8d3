"use strict";
(() => {
	const form = document.querySelector(".filter");
	const input = form.querySelector("input");
	const found = form.querySelector("output");
	const all = (selector) => [...document.querySelectorAll(selector)];
	const cards = all(".card"), rows = all("tbody tr"), problems = all(".problem");
	const texts = new Map();
	for (const item of [...cards, ...rows, ...problems]) texts.set(item, item.textContent.toLowerCase());

	const filter = () => {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		const shown = (items) => items.filter((item) => {
			const text = texts.get(item);
			item.hidden = !words.every((word) => text.includes(word));
			return !item.hidden;
		}).length;
		const pools = shown(cards), workloads = shown(rows);
		shown(problems);
		for (const group of all(".group")) group.hidden = !group.querySelector(".card:not([hidden])");
		found.value = words.length ? `${pools} of ${cards.length} pools, ${workloads} of ${rows.length} workloads` : "";
	};
	input.addEventListener("input", filter);
	form.addEventListener("submit", (event) => event.preventDefault());
	form.hidden = false;
	filter();

	// Show the target of a link even if the filter hides it.
	window.addEventListener("hashchange", () => {
		const target = document.getElementById(location.hash.slice(1));
		if (target && target.closest("[hidden]")) {
			input.value = "";
			filter();
			target.scrollIntoView();
		}
	});

	// A workload shows its pools.
	const light = (event) => {
		for (const card of all(".lit")) card.classList.remove("lit");
		const link = event.target.closest('a[href^="#workload-"]');
		const row = link ? document.getElementById(link.hash.slice(1)) : event.target.closest("tbody tr");
		if (!row || event.type === "pointerout" || event.type === "focusout") return;
		for (const pool of row.querySelectorAll('a[href^="#pool-"]')) {
			document.getElementById(pool.hash.slice(1)).classList.add("lit");
		}
	};
	for (const name of ["pointerover", "pointerout", "focusin", "focusout"]) document.addEventListener(name, light);
})();
