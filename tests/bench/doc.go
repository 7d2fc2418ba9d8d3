// Package bench measures what is fast only compared with something else: each
// benchmark runs both sides by turns in one run, and what it says is the ratio of
// their medians. At the end all of them stand in one table, with the limits that
// they are meant to keep.
//
//	make bench
//	make bench-scale
//	go -C tests test -run '^$' -bench Preview -benchtime 1x -timeout 30m ./bench
//
// The last one compiles everything again unless it has the Makefile's GOFLAGS.
//
// Peers that no test needs, kubeconform and kube-score, are built for the benchmark alone, from the modules of
// their names in internal/lab/tools.
//
// With -short each runs once with a small count and no table is shown: `make test` does
// that, so that none breaks unseen.
//
// A limit that is missed fails nothing: the machine may have had other things to do,
// which is why the table begins with its load.
package bench
