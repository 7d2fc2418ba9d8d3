package badinput

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	count = flag.Int("bad-inputs", 40, "how many bad inputs a test tries, at least one for each argument")
	seed  = flag.Uint64("bad-inputs-seed", today(), "the `seed` of the choice; by default the day")
)

// today returns the default seed: tests of the same day try the same inputs.
func today() uint64 {
	day, err := strconv.ParseUint(time.Now().UTC().Format("20060102"), 10, 64)
	if err != nil {
		panic(err) // the layout has digits only
	}
	return day
}

// Test is a function that takes arguments of type T.
type Test[T any] struct {
	// Good makes arguments that are accepted, with a value for each argument. Each call
	// creates new ones.
	Good func() *T
	// Run calls the function with arguments.
	Run func(args *T) Outcome
	// Forms are values of the types that arguments of an interface type can hold.
	Forms []any
	// Scripts are all the scripts that may be run.
	Scripts []string

	// The keys of the following maps are regular expressions that match a whole path.

	// OtherPaths has the arguments whose error may be at another path; the value matches that path.
	OtherPaths map[string]string
	// Nowhere has the arguments that appear nowhere in the outcome, and why.
	Nowhere map[string]string
	// Unshown has the arguments whose value no error shows although it is not a secret, and why.
	Unshown map[string]string
	// Untried has the arguments that Good does not set, and why.
	Untried map[string]string
}

// Outcome is the result of a call.
type Outcome struct {
	// Err is why the arguments are refused, nil if they are accepted.
	Err error
	// Data are the plain trees of the objects that the call creates.
	Data []any
	// Scripts are the texts in Data that a machine runs, without the literals of their data.
	Scripts []string
}

// input is one argument with a bad value.
type input struct {
	argument int
	path     string
	key      bool
	good     reflect.Value
	// unshown is true if an error must not, or need not, show the value.
	unshown bool
	bad
}

func (in input) String() string {
	what := in.path
	if in.key {
		what = "a key of " + what
	}
	return fmt.Sprintf("%s, %s (%.60q)", what, in.name, text(in.value))
}

// Try tries bad inputs, and logs how many of each type of argument were refused and accepted.
func (tt Test[T]) Try(t *testing.T) {
	t.Helper()
	all, untried := tt.inputs()
	for _, path := range untried {
		if matching(tt.Untried, path) == "" {
			t.Errorf("%s is not tried: set it in the good arguments", path)
		}
	}
	if good := tt.run(tt.Good()); good.Err != nil {
		t.Fatalf("the good arguments are refused: %v", good.Err)
	} else if wrong := tt.unexpectedScript(good); wrong != "" {
		t.Fatalf("the good arguments have a script that is not among Scripts:\n%s", wrong)
	}
	inputs, total := chosen(all), len(slices.Concat(all...))
	refused, accepted := map[string]int{}, map[string]int{}
	for _, in := range inputs {
		out := tt.run(tt.with(in))
		if out.Err != nil {
			refused[kind(in.value)]++
		} else {
			accepted[kind(in.value)]++
		}
		for _, problem := range tt.judge(in, out) {
			t.Errorf("%s: %s", in, problem)
		}
	}
	t.Logf("sampled: %d of %d bad inputs: -bad-inputs-seed %d repeats them", len(inputs), total, *seed)
	t.Logf("refused %v, accepted %v", refused, accepted)
}

func kind(v reflect.Value) string {
	if v.Kind() == reflect.Struct {
		return v.Type().String()
	}
	return v.Kind().String()
}

// walk visits the arguments of a value.
func (tt Test[T]) walk(args *T, visit func(argument)) (untried []string) {
	var forms []reflect.Type
	for _, form := range tt.Forms {
		forms = append(forms, reflect.TypeOf(form))
	}
	walker{
		visit: visit, forms: forms,
		untried: func(path string) { untried = append(untried, path) },
	}.walk(reflect.ValueOf(args).Elem(), "", func() {})
	return untried
}

// inputs returns all bad inputs, by argument.
func (tt Test[T]) inputs() (all [][]input, untried []string) {
	untried = tt.walk(tt.Good(), func(a argument) {
		var of []input
		for _, b := range badFor(a.value) {
			good := reflect.New(a.value.Type()).Elem()
			good.Set(a.value)
			of = append(of, input{argument: len(all), path: a.path, key: a.key, good: good, bad: b})
		}
		slices.SortFunc(of, func(a, b input) int { return strings.Compare(a.name, b.name) })
		all = append(all, of)
	})
	return all, untried
}

// with returns good arguments with one bad input.
func (tt Test[T]) with(in input) *T {
	args, i := tt.Good(), 0
	var commit func()
	tt.walk(args, func(a argument) {
		if i == in.argument {
			a.value.Set(in.value)
			commit = a.commit
		}
		i++
	})
	commit()
	return args
}

// chosen returns the first input of each argument, then the second of each, and so on, in a random order.
func chosen(all [][]input) []input {
	random := rand.New(rand.NewPCG(*seed, 0))
	for _, of := range all {
		random.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	}
	var list []input
	for round := 0; round == 0 || len(list) < *count; round++ {
		before := len(list)
		for _, of := range all {
			if round < len(of) {
				list = append(list, of[round])
			}
		}
		random.Shuffle(len(list)-before, func(i, j int) {
			list[before+i], list[before+j] = list[before+j], list[before+i]
		})
		if len(list) == before {
			break
		}
	}
	return list[:min(len(list), max(*count, len(all)))]
}

// run turns a panic into an outcome that always fails the test.
func (tt Test[T]) run(args *T) (out Outcome) {
	defer func() {
		if r := recover(); r != nil {
			out = Outcome{Err: panicked{r}}
		}
	}()
	return tt.Run(args)
}

type panicked struct{ with any }

func (p panicked) Error() string { return fmt.Sprintf("panic: %v", p.with) }

// unexpectedScript returns a script that good arguments do not lead to, "" if there is none.
func (tt Test[T]) unexpectedScript(out Outcome) string {
	for _, script := range out.Scripts {
		if !slices.Contains(tt.Scripts, script) {
			return script
		}
	}
	return ""
}

// matching returns the value of an expression that matches the whole path.
func matching(expressions map[string]string, path string) string {
	for _, expression := range slices.Sorted(maps.Keys(expressions)) {
		if regexp.MustCompile("^(?:" + expression + ")$").MatchString(path) {
			return expressions[expression]
		}
	}
	return ""
}
