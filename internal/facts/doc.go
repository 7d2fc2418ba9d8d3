// Package facts has the defaults that age: releases, images, and tables of what others
// support, which become outdated though nobody changes a line. They are declared only here;
// tests/architecture looks for others.
//
// A comment at each fact says on which day its source was read, and where the source is:
//
//	//facts:seen 2026-08-14 https://github.com/flannel-io/flannel/releases
//
// If the source was a stored copy, the day is that of the copy, or the first of its month if
// only the month is known. `make facts` lists the facts that were looked up more than 90 days
// ago. When you look one up again, change its day, even if the fact is the same.
//
// What has happened does not age, for example the version of Kubernetes that introduced a
// field. It stays with the rule that needs it.
package facts
