// Package facts has the defaults that age: releases, images, and tables of what others
// support, which become outdated though nobody changes a line. They stand here only, and
// their owners read them; tests/architecture looks for others.
//
// A comment at each says on which day its source was read, and where that is:
//
//	//facts:seen 2026-08-14 https://github.com/flannel-io/flannel/releases
//
// The day of a stored copy is that of the copy; where only its month is known, the first
// of that. `make facts` lists the facts that were seen long ago. Who looks one up again
// changes its day, also where all is as it was.
//
// What has happened does not age: since which version Kubernetes has a field, say. It
// stays with the rule that needs it.
package facts
