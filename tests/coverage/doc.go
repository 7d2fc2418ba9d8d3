// Package coverage tests what became of the limitations in the documentation that this project follows. The files in
// testdata have a row for each limitation of a page: what it states, and the rule, fact or page that has it, or why it
// does not concern clusters with Linux and Windows nodes. docs/coverage.md is generated from them.
//
// A row has exactly one of these keys:
//
//   - rule: the IDs of rules that report it
//   - fact: names in package internal/core/facts and below
//   - sim: FILE:FUNCTION of the simulated Azure, which behaves like that
//   - lab: words of NOT_SIMULATED.md: the simulated Azure does not
//   - page: a page of docs that explains what no program shows, docs/aks.md, or a section of it,
//     docs/aks.md#change-the-cluster
//   - not: why it does not concern such clusters, or why no program shows it. The Linux pools of a mixed cluster are a
//     part of it: "Linux only" does not say why
//   - open: H, M or L: nothing has it yet; do says what would
//
// A row with page has says: three to twelve words in succession, copied from that page or section, that state the
// limitation. Line breaks count as spaces.
//
// A row whose page contradicts another one has against, and says in do what each states. The places in against are
// separated by semicolons: FILE.md#LINE of a page that was read, FILE.yaml#ID of a row, a file of this project, an
// address, or words. Both sides have a day: the row's day, the day that the page has as its own (updated), or that of the
// copy (day). A place that is not a page that was read ends with it: ADDRESS of 2026-08-21. The key follows has the side
// of the project: this, other, both, or neither, if it needs no answer.
package coverage
