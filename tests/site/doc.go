// Package site builds the site from the Markdown pages of the repository, with VitePress, and checks its links.
// The tests look at it in a real browser: Debian's Chromium.
//
//	go test ./site
//	go test ./site -screenshots /tmp/pictures
//
// The pages are those in the root and in docs, and every page that one of them links to. The folder site has the
// configuration, the theme, and the lock file of npm. The sidebar is that of docs/README.md: its headings, and the
// first link of each item of its lists and of each row of its tables.
package site
