// Package facts has the defaults that age: releases, images, and tables of what other projects
// support. They become outdated without any change in this repository. They are declared only here;
// tests/architecture looks for others.
//
// A comment at each fact names the day on which its source was read, and the source:
//
//	//facts:seen 2026-08-14 https://github.com/flannel-io/flannel/releases
//
// If the source was a stored copy, the day is the day of the copy, or the first of its month if
// only the month is known. A fact with several sources has such a line for each site or repository,
// and its day is the oldest of them. A test finds rows with a source that none of the lines names.
// A fact expires 180 days later, or on another day:
//
//	//facts:expires 2027-07-22
//
// A fact that names a release can have the day of the release, and then it cannot be seen before it:
//
//	//facts:released 2026-10-08
//
// Each constant and variable here and in the packages below has the day, or the reason for which it is not a fact:
//
//	//facts:none a decision of this library
//
// Enums and regular expressions need neither. A function does not decide by numbers: they are a
// table, with its source.
//
// Nothing fails in programs when a fact expires. `make facts` lists those that have, a release is
// not built with them, and a preview has an info if it used a fact that is older than 180 days.
// When you look one up again, change its day, even if the fact is the same; `make generate` writes
// the tables of package lives: `mixedkube version --facts` shows the lives, and previews read who uses them.
//
// Each subject has one table, with the versions or days from and until which its values hold, if a
// source names them. The decisions of Azure about these values are written twice: in package plan, and in the simulated Azure.
//
// A fact about the past does not age, for example the version of Kubernetes that introduced a
// field. It stays with the rule that needs it.
package facts
