// Package bench measures performance relative to a baseline: each benchmark runs both sides alternately in one run and
// reports the ratio of their medians. At the end, a table lists all ratios with their limits.
//
//	make bench
//	make bench-scale
//	go -C tests test -run '^$' -bench Preview -benchtime 1x -timeout 30m ./bench
//
// The last command compiles everything again unless the Makefile's GOFLAGS are set.
//
// The peers kubeconform and kube-score are only built for the benchmarks, from the modules with their names in
// internal/lab/tools.
//
// With -short, each benchmark runs once with small counts and there is no table: `make test` does that to check that
// the benchmarks work.
//
// A missed limit is not a failure, because the machine may have been busy. That is why the table begins with the load
// average.
package bench
