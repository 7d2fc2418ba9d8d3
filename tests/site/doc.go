// Package site builds the site from the Markdown pages of the repository, with VitePress, and checks its links.
// The tests check it in a real browser: Debian's Chromium.
//
//	go test ./site
//	go test ./site -screenshots /tmp/pictures
//
// The site has the pages in the root and in docs, and every page to which one of them links. The directory site has the
// configuration, the theme, and the lock file of npm. The sidebar follows docs/README.md: it has the headings, and
// the first link of each item of its lists and of each row of its tables.
package site
