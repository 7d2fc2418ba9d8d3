package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheDayOfSeveralSourcesIsTheOldest(t *testing.T) {
	t.Parallel()
	facts, err := read(write(t, `package facts

//facts:none an address
const page = "https://b.example/docs/two/three/"

//facts:seen 2026-03-01 https://a.example/pages/one
//facts:seen 2026-01-01 https://b.example/docs/two#a
var Table = []string{
	"a", "see https://a.example/pages/one/other",
	"b", page + "more", // (https://b.example/docs/two/three), and https://c.example/a/b/pull/1 since 2025
}

//facts:seen 2026-02-01 https://a.example/pages/one
var Sizes = regexp.MustCompile("^a$")
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range facts {
		got = append(got, f.name()+" "+f.seen.Format("2006-01-02")+" "+f.source)
	}
	want := []string{"Table 2026-01-01 https://b.example/docs/two#a", "Sizes 2026-02-01 https://a.example/pages/one"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestEachSourceOfATableHasADay(t *testing.T) {
	t.Parallel()
	const another = ": write another //facts:seen, with the day on which it was read"
	for name, tt := range map[string]struct{ rows, want string }{
		"a text": {`"https://a.example/x/y"`, "https://a.example/x/y" + another},
		"a comment": {
			"1, // the page https://a.example/x/y, which has it\n", "https://a.example/x/y" + another,
		},
		"a constant": {"page", "https://b.example/x/y" + another},
		"a release":  {`"https://a.example/o/r/releases/tag/v1"`, ""},
		"the source": {`"https://a.example/pages/one/b"`, ""},
	} {
		_, err := read(write(t, "package facts\n\n//facts:none an address\nconst page = \"https://b.example/x\" + \"/y\"\n\n"+
			"//facts:seen 2026-03-01 https://a.example/pages/one\nvar Table = []any{"+tt.rows+"}\n"))
		want := "Table has a row with the source " + tt.want
		if (err != nil) != (tt.want != "") || err != nil && !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %s", name, err, tt.want)
		}
	}
}

func TestTablesInCodeAreErrors(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body string
		want bool
	}{
		"a case":           {"switch { case n > 5: return 1 }; return 0", true},
		"a result":         {"switch n { case 1: return 2 }; return 0", true},
		"a ratio":          {"switch n { case 1: return 0.5 }; return 0", true},
		"zero and one":     {"switch n { case 1: return 0 }; return 1", false},
		"an index":         {"switch n { case 1: return m[2] }; return 1", false},
		"without a switch": {"return n * 1024", false},
	} {
		_, err := read(write(t, "package facts\n\n//facts:seen 2026-03-01 https://a.example\nconst Fact = 1\n\n"+
			"func of(n int) float64 { "+tt.body+" }\n"))
		want := "of decides by numbers: write them as a table, with the day and the address of its source"
		if (err != nil) != tt.want || err != nil && !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}
