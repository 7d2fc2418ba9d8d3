// Package sample chooses cases of matrices that are too large for each run: mistakes in all languages, for example.
// `make soak` runs all of them.
package sample

import (
	"flag"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"
)

var (
	all  = flag.Bool("all", false, "run all cases of each matrix, which takes minutes to hours")
	seed = flag.Uint64("seed", today(), "the `seed` that chooses the cases; by default the day")
)

// today returns the default seed: runs of the same day have the same cases.
func today() uint64 {
	day, err := strconv.ParseUint(time.Now().UTC().Format("20060102"), 10, 64)
	if err != nil {
		panic(err) // the layout has digits only
	}
	return day
}

// All reports whether each case runs.
func All() bool { return *all }

// Of returns n of the cases in their order, or all of them with the flag -all. The choice depends on the seed and on
// the name of the test. The log has the seed, which make test prints for each package.
func Of[T any](tb testing.TB, cases []T, n int) []T {
	tb.Helper()
	if *all || n >= len(cases) {
		return cases
	}
	tb.Logf("sampled: %d of %d cases: -seed %d repeats them, -all runs all", n, len(cases), *seed)
	return choose(tb.Name(), cases, n, *seed)
}

// Seed returns the seed.
func Seed() uint64 { return *seed }

// Random returns the seed of n random cases. The log has it, as with [Of].
func Random(tb testing.TB, n int) uint64 {
	tb.Helper()
	tb.Logf("sampled: %d random cases: -seed %d repeats them", n, *seed)
	return *seed
}

func choose[T any](name string, cases []T, n int, seed uint64) []T {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails
	chosen := rand.New(rand.NewPCG(seed, h.Sum64())).Perm(len(cases))[:n]
	slices.Sort(chosen)
	of := make([]T, n)
	for i, at := range chosen {
		of[i] = cases[at]
	}
	return of
}
