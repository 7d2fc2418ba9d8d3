package badinput

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	count = flag.Int("bad-inputs", 125, "how many bad inputs a test tries, at least one for each argument")
	seed  = flag.Uint64("bad-inputs-seed", 1, "which of them")
)

// Test is a function that takes arguments of type T.
type Test[T any] struct {
	// Good makes arguments that are accepted, with something for each argument. Each call
	// makes others.
	Good func() *T
	// Run gives arguments to the function.
	Run func(args *T) Outcome
	// Forms are values of the types that may stand in arguments that are interfaces.
	Forms []any
	// Scripts are all that may be run.
	Scripts []string

	// The keys of the following are expressions for whole paths.

	// Elsewhere are arguments whose error may be at another path, which is an expression too.
	Elsewhere map[string]string
	// Nowhere are arguments that stand nowhere in what is made, and why.
	Nowhere map[string]string
	// Unshown are arguments whose value no error shows, though it is no secret, and why.
	Unshown map[string]string
	// Untried are arguments for which Good has nothing, and why.
	Untried map[string]string
}

// Outcome is what became of arguments.
type Outcome struct {
	// Err is why they are refused, nil if they are not.
	Err error
	// Data are the plain trees of what is made.
	Data []any
	// Scripts are the texts in it that a machine runs, without the literals of their data.
	Scripts []string
}

// input is one argument with something bad.
type input struct {
	argument int
	path     string
	key      bool
	good     reflect.Value
	// unshown says that an error must not show the value, or need not.
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
			t.Errorf("%s is not tried: give the good arguments something there", path)
		}
	}
	if good := tt.run(tt.Good()); good.Err != nil {
		t.Fatalf("the good arguments are refused: %v", good.Err)
	} else if wrong := tt.foreign(good); wrong != "" {
		t.Fatalf("the good arguments have a script that is not among Scripts:\n%s", wrong)
	}
	inputs := chosen(all)
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
	t.Logf("%d bad inputs: refused %v, accepted %v", len(inputs), refused, accepted)
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

// inputs are all that there are, by argument.
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

// with makes good arguments with one bad input.
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

// chosen are the first of each argument, the second of each, and so on, in a random order.
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

// run turns a panic into an outcome that nobody accepts.
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

// foreign is a script that nothing good has, "" if there is none.
func (tt Test[T]) foreign(out Outcome) string {
	for _, script := range out.Scripts {
		if !slices.Contains(tt.Scripts, script) {
			return script
		}
	}
	return ""
}

// matching is the value of the first expression that matches all of a path.
func matching(expressions map[string]string, path string) string {
	for expression, value := range expressions {
		if regexp.MustCompile("^(?:" + expression + ")$").MatchString(path) {
			return value
		}
	}
	return ""
}
