package coverage

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// sides are what the project can follow in a contradiction: the line, the other place, what both have in common or
// offers both, or none of them, since it needs no answer.
var sides = []string{"this", "other", "both", "neither"}

// The other place of each contradiction exists, both sides have a day, and the row says what both state and which one
// the project follows.
func TestContradictionsNameAPage(t *testing.T) {
	t.Parallel()
	all := sources(t)
	found := 0
	for _, s := range all {
		for _, r := range s.Rows {
			if r.Against == "" {
				continue
			}
			found++
			if r.Do == "" {
				t.Errorf("%s#%s: against: do does not say what each place states", s.file, r.ID)
			}
			if !slices.Contains(sides, r.Follows) {
				t.Errorf("%s#%s: follows: %q is not one of %v", s.file, r.ID, r.Follows, sides)
			}
			if problem := dayProblem(s.day(r)); problem != "" {
				t.Errorf("%s#%s: the day of the line %s", s.file, r.ID, problem)
			}
			var places []string
			for place := range strings.SplitSeq(r.Against, "; ") {
				place, day := dayOf(place, all)
				if problem := dayProblem(day); problem != "" {
					t.Errorf("%s#%s: against: the day of %q %s", s.file, r.ID, place, problem)
				}
				if problem := placeProblem(place, all, fileOfProject); problem != "" {
					t.Errorf("%s#%s: against: %q %s", s.file, r.ID, place, problem)
				}
				if slices.Contains(places, place) {
					t.Errorf("%s#%s: against: %q is there twice", s.file, r.ID, place)
				}
				places = append(places, place)
			}
		}
	}
	if found < 50 {
		t.Errorf("there are only %d contradictions", found)
	}
}

// A day of a row, and a side that is followed, belong to a contradiction or to a line that one names.
func TestOnlyContradictionsFollowASide(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, r := range s.Rows {
			if r.Follows != "" && r.Against == "" {
				t.Errorf("%s#%s: follows %s, against nothing", s.file, r.ID, r.Follows)
			}
		}
	}
}

// day returns the day of a line.
func (s source) day(r row) string { return cmp.Or(r.Day, s.Updated, s.Day) }

// dayOf returns a place without its day, and the day: the one that it ends with, or that of the line or page.
func dayOf(place string, all []source) (name, day string) {
	if before, after, found := strings.Cut(place, " of 20"); found && isDay.MatchString("20"+after) {
		return before, "20" + after
	}
	parts := placeOfPage.FindStringSubmatch(place)
	if parts == nil {
		return place, ""
	}
	for _, s := range all {
		if !s.is(parts[1], parts[2]) {
			continue
		}
		for _, r := range s.Rows {
			if r.ID == parts[3] || strconv.Itoa(r.Line) == parts[3] {
				return place, s.day(r)
			}
		}
		return place, s.day(row{})
	}
	return place, ""
}

var isDay = regexp.MustCompile(`^[0-9-]{10}$`)

// dayProblem returns why a text is not a day on which a page could be read, or an empty string.
func dayProblem(day string) string {
	switch _, err := time.Parse(time.DateOnly, day); {
	case day == "":
		return "is missing"
	case err != nil:
		return "is not a day: " + day
	}
	return ""
}

// is reports whether a source is the page NAME.md, or the file NAME.yaml.
func (s source) is(name, extension string) bool {
	stem := strings.TrimSuffix(s.file[strings.LastIndex(s.file, "/")+1:], ".yaml")
	return name == stem+"."+extension || extension == "md" && strings.HasSuffix("/"+s.Page, "/"+name)
}

// placeOfPage matches a line of a page, or the ID of a row.
var placeOfPage = regexp.MustCompile(`^([^ #]+\.(md|yaml))(?:#([^ #]+))?$`)

// placeProblem returns why a place is not one, or an empty string. A place is words with a space, an address, a line of
// a page that was read, a row of a file in testdata, by its line or ID, or a file of this project.
func placeProblem(place string, all []source, file func(string) string) string {
	if strings.HasPrefix(place, "https://") && !strings.Contains(place, " ") {
		return ""
	}
	parts := placeOfPage.FindStringSubmatch(place)
	switch {
	case parts == nil && strings.Contains(place, ".md#"):
		return "has words after the line, which belong into do"
	case parts == nil && !strings.Contains(place, " "):
		return "is neither FILE.md#LINE nor words"
	case parts == nil:
		return ""
	}
	name, extension, at := parts[1], parts[2], parts[3]
	if strings.Contains(name, "/") && file(name) != "" {
		return ""
	}
	for _, s := range all {
		isAt := func(r row) bool { return r.ID == at }
		switch {
		case !s.is(name, extension):
		case isLine.MatchString(at), extension == "yaml" && (at == "" || slices.ContainsFunc(s.Rows, isAt)):
			return ""
		case extension == "md":
			return "has no line"
		}
	}
	return "is not a page that was read"
}

var isLine = regexp.MustCompile(`^[1-9][0-9]*$`)

func TestPlaces(t *testing.T) {
	t.Parallel()
	all := []source{
		{Page: "articles/aks/a.md", file: "aks/a.yaml", Rows: []row{{ID: "first"}}},
		{Page: "articles/aks/includes/b.md", file: "aks/includes__b.yaml"},
	}
	file := func(name string) string { return map[string]string{"docs/rules/aks.md": "text"}[name] }
	const unread = "is not a page that was read"
	for place, want := range map[string]string{
		"a.md#12":                 "",
		"articles/aks/a.md#12":    "",
		"includes/b.md#3":         "",
		"includes__b.md#3":        "",
		"a.yaml#first":            "",
		"a.yaml#7":                "",
		"a.yaml":                  "",
		"docs/rules/aks.md#mk763": "",
		"https://example.com/":    "",
		"nodes have managed":      "",
		"z.md#12":                 unread,
		"includes/a.md#12":        unread,
		"a.yaml#second":           unread,
		"docs/aks.md#next-steps":  unread,
		"a.md":                    "has no line",
		"a.md#first":              "has no line",
		"a.md#12 (twelve)":        "has words after the line, which belong into do",
		"a.md#12 and b.md#13":     "has words after the line, which belong into do",
		"nodes":                   "is neither FILE.md#LINE nor words",
	} {
		if got := placeProblem(place, all, file); got != want {
			t.Errorf("%s: %q, want %q", place, got, want)
		}
	}
}

func TestDaysOfPlaces(t *testing.T) {
	t.Parallel()
	all := []source{
		{Page: "articles/aks/a.md", file: "aks/a.yaml", Day: "2026-08-21"},
		{Page: "articles/aks/b.md", file: "aks/b.yaml", Day: "2026-08-21", Updated: "2026-07-13"},
		{Page: "CHANGELOG.md", file: "aks/CHANGELOG.yaml", Rows: []row{{ID: "note", Line: 3, Day: "2026-07-17"}}},
	}
	for place, want := range map[string][2]string{
		"a.md#12":                            {"a.md#12", "2026-08-21"},
		"b.md#12":                            {"b.md#12", "2026-07-13"},
		"CHANGELOG.md#3":                     {"CHANGELOG.md#3", "2026-07-17"},
		"CHANGELOG.yaml#note":                {"CHANGELOG.yaml#note", "2026-07-17"},
		"CHANGELOG.md#4":                     {"CHANGELOG.md#4", ""},
		"CHANGELOG.md#4 of 2026-06-19":       {"CHANGELOG.md#4", "2026-06-19"},
		"https://example.com/ of 2026-06-19": {"https://example.com/", "2026-06-19"},
		"https://example.com/":               {"https://example.com/", ""},
		"nodes have managed":                 {"nodes have managed", ""},
		"nodes of 2026":                      {"nodes of 2026", ""},
		"z.md#12":                            {"z.md#12", ""},
	} {
		name, day := dayOf(place, all)
		if got := [2]string{name, day}; got != want {
			t.Errorf("%s: %q, want %q", place, got, want)
		}
	}
	for day, want := range map[string]string{
		"2026-06-19": "", "": "is missing", "2026-02-30": "is not a day: 2026-02-30",
		"2026-6-1": "is not a day: 2026-6-1",
	} {
		if got := dayProblem(day); got != want {
			t.Errorf("%q: %q, want %q", day, got, want)
		}
	}
}
