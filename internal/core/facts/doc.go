// Package facts has the defaults that age: releases, images, and tables of what other projects
// support. They become outdated without any change in this repository. They are declared only here;
// tests/architecture looks for others.
//
// A comment at each fact names the day on which its source was read, and the source:
//
//	//facts:seen 2026-08-14 https://github.com/flannel-io/flannel/releases
//
// If the source was a stored copy, the day is the day of the copy, or the first of its month if
// only the month is known. `make facts` lists the facts that were looked up more than 90 days
// ago. When you look one up again, change its day, even if the fact is the same.
//
// A fact about the past does not age, for example the version of Kubernetes that introduced a
// field. It stays with the rule that needs it.
package facts
