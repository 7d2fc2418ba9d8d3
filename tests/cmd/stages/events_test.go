package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// output is the output of a target with packages that are tested in parallel, the lines of go test without their times.
const output = `go test ./...
{"ImportPath":"x/c [x/c.test]","Action":"build-output","Output":"# x/c [x/c.test]\n"}
{"ImportPath":"x/c [x/c.test]","Action":"build-output","Output":"c/c.go:2:12: undefined: undefined\n"}
{"ImportPath":"x/c [x/c.test]","Action":"build-fail"}
{"Action":"start","Package":"x/a"}
{"Action":"start","Package":"x/b"}
{"Action":"run","Package":"x/a","Test":"TestOK"}
{"Action":"output","Package":"x/a","Test":"TestOK","Output":"=== RUN   TestOK\n"}
{"Action":"output","Package":"x/a","Test":"TestOK","Output":"printed\n"}
{"Action":"output","Package":"x/a","Test":"TestOK","Output":"    a_test.go:9: sampled: 2 of 9 cases: -seed 7\n"}
{"Action":"output","Package":"x/a","Test":"TestOK","Output":"--- PASS: TestOK (0.00s)\n"}
{"Action":"pass","Package":"x/a","Test":"TestOK","Elapsed":0}
{"Action":"run","Package":"x/b","Test":"TestFail"}
{"Action":"output","Package":"x/b","Test":"TestFail","Output":"=== RUN   TestFail\n"}
{"Action":"output","Package":"x/b","Test":"TestFail","Output":"=== PAUSE TestFail\n"}
{"Action":"pause","Package":"x/b","Test":"TestFail"}
{"Action":"run","Package":"x/b","Test":"TestOther"}
{"Action":"output","Package":"x/b","Test":"TestOther","Output":"    b_test.go:9: not shown\n"}
{"Action":"output","Package":"x/b","Test":"TestOther","Output":"--- PASS: TestOther (0.00s)\n"}
{"Action":"pass","Package":"x/b","Test":"TestOther","Elapsed":0}
{"Action":"run","Package":"x/b","Test":"TestHangs"}
{"Action":"output","Package":"x/b","Test":"TestHangs","Output":"panic: test timed out after 1s\n"}
{"Action":"cont","Package":"x/b","Test":"TestFail"}
{"Action":"run","Package":"x/b","Test":"TestFail/sub"}
{"Action":"run","Package":"x/b","Test":"TestFail/good"}
{"Action":"output","Package":"x/b","Test":"TestFail/good","Output":"    b_test.go:8: not shown\n"}
{"Action":"pass","Package":"x/b","Test":"TestFail/good","Elapsed":0}
{"Action":"output","Package":"x/b","Test":"TestFail","Output":"    b_test.go:4: own\n"}
{"Action":"output","Package":"x/b","Test":"TestFail/sub","Output":"    b_test.go:4: bad\n"}
{"Action":"output","Package":"x/b","Test":"TestFail/sub","Output":"        line 2\n"}
{"Action":"output","Package":"x/b","Test":"TestFail/sub","Output":"--- FAIL: TestFail/sub (0.00s)\n"}
{"Action":"fail","Package":"x/b","Test":"TestFail/sub","Elapsed":0}
{"Action":"output","Package":"x/b","Test":"TestFail","Output":"--- FAIL: TestFail (0.00s)\n"}
{"Action":"fail","Package":"x/b","Test":"TestFail","Elapsed":0}
{"Action":"output","Package":"x/a","Output":"printed by TestMain\n"}
{"Action":"output","Package":"x/a","Output":"PASS\n"}
{"Action":"output","Package":"x/a","Output":"ok  \tx/a\t(cached)\n"}
{"Action":"pass","Package":"x/a","Elapsed":0.022}
{"Action":"output","Package":"x/b","Output":"printed by TestMain\n"}
{"Action":"output","Package":"x/b","Output":"FAIL\n"}
{"Action":"output","Package":"x/b","Output":"FAIL\tx/b\t4.008s\n"}
{"Action":"fail","Package":"x/b","Elapsed":4.008}
{"Action":"output","Package":"x/c","Output":"FAIL\tx/c [build failed]\n"}
{"Action":"fail","Package":"x/c","Elapsed":0,"FailedBuild":"x/c [x/c.test]"}
{"Action":"output","Package":"x/e","Output":"?   \tx/e\t[no test files]\n"}
{"Action":"skip","Package":"x/e","Elapsed":0}
{"Action":"run","Package":"x/d","Test":"BenchmarkX"}
{"Action":"output","Package":"x/d","Output":"goos: linux\n"}
{"Action":"output","Package":"x/d","Test":"BenchmarkX","Output":"=== RUN   BenchmarkX\n"}
{"Action":"output","Package":"x/d","Test":"BenchmarkX","Output":"BenchmarkX\n"}
{"Action":"output","Package":"x/d","Test":"BenchmarkX","Output":"BenchmarkX-2   \t       1\t       170.0 ns/op\n"}
{"Action":"output","Package":"x/d","Output":"PASS\n"}
{"Action":"output","Package":"x/d","Output":"ok  \tx/d\t5.0s\n"}
{"Action":"pass","Package":"x/d","Elapsed":5.0}
{"a": "line that is not an event"}
make: *** [Makefile:64: unit] Error 1
without end`

func TestEventsAreShownAsGoTestDoes(t *testing.T) {
	t.Parallel()
	var shown strings.Builder
	l := &lines{to: &shown}
	e := &events{to: l}
	// The parts do not end with lines, as in a pipe.
	for part := range strings.SplitAfterSeq(output, "Action") {
		if _, err := e.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.flush(); err != nil {
		t.Fatal(err)
	}
	want := `go test ./...
# x/c [x/c.test]
c/c.go:2:12: undefined: undefined
TestOK: sampled: 2 of 9 cases: -seed 7
ok  	x/a	(cached)
printed by TestMain
--- FAIL: TestFail (0.00s)
    b_test.go:4: own
    --- FAIL: TestFail/sub (0.00s)
        b_test.go:4: bad
            line 2
panic: test timed out after 1s
FAIL
FAIL	x/b	4.008s
FAIL	x/c [build failed]
?   	x/e	[no test files]
ok  	x/d	5.0s
{"a": "line that is not an event"}
make: *** [Makefile:64: unit] Error 1
without end`
	if diff := cmp.Diff(want, shown.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	slow := []string{}
	for _, p := range l.packages {
		slow = append(slow, p.name+" "+p.took.String())
	}
	if diff := cmp.Diff([]string{"x/b 4.008s", "x/d 5s"}, slow); diff != "" {
		t.Errorf("the packages (-want +got):\n%s", diff)
	}
}

// withSkips are events of skipped tests, in a package that passes, from the cache, and in one that fails.
const withSkips = `{"Action":"output","Package":"P/a","Test":"TestA","Output":"    a_test.go:3: only a log\n"}
{"Action":"output","Package":"P/a","Test":"TestA","Output":"    a_test.go:4: needs nft: apt-get install nftables\n"}
{"Action":"output","Package":"P/a","Test":"TestA","Output":"    a_test.go:9: cleaned up\n"}
{"Action":"output","Package":"P/a","Test":"TestA","Output":"--- SKIP: TestA (0.00s)\n"}
{"Action":"skip","Package":"P/a","Test":"TestA","Elapsed":0}
{"Action":"output","Package":"P/a","Test":"TestB/x","Output":"    a_test.go:5: needs node: install Node.js\n"}
{"Action":"skip","Package":"P/a","Test":"TestB/x","Elapsed":0}
{"Action":"pass","Package":"P/a","Test":"TestB","Elapsed":0}
{"Action":"output","Package":"P/a","Output":"ok  \tP/a\t(cached)\n"}
{"Action":"pass","Package":"P/a","Elapsed":0}
{"Action":"output","Package":"P/b","Test":"TestC","Output":"    b.go:6: needs nft: apt-get install nftables\n"}
{"Action":"skip","Package":"P/b","Test":"TestC","Elapsed":0}
{"Action":"output","Package":"P/b","Test":"TestD","Output":"    b_test.go:7: only with make soak\n"}
{"Action":"skip","Package":"P/b","Test":"TestD","Elapsed":0}
{"Action":"output","Package":"P/b","Test":"TestE","Output":"    b_test.go:8: only with make bench\n"}
{"Action":"skip","Package":"P/b","Test":"TestE","Elapsed":0}
{"Action":"output","Package":"P/b","Test":"TestF","Output":"    b_test.go:9: only with make soak\n"}
{"Action":"skip","Package":"P/b","Test":"TestF","Elapsed":0}
{"Action":"output","Package":"P/b","Test":"TestG","Output":"    b_test.go:10: other words\n"}
{"Action":"skip","Package":"P/b","Test":"TestG","Elapsed":0}
{"Action":"skip","Package":"P/b","Test":"TestH","Elapsed":0}
{"Action":"fail","Package":"P/b","Elapsed":0}
`

func TestSkippedTestsAreListedByReason(t *testing.T) {
	t.Parallel()
	e := &events{to: &strings.Builder{}}
	if _, err := e.Write([]byte(strings.ReplaceAll(withSkips, "P/", module))); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := writeSkipped(e.skipped, &out); err != nil {
		t.Fatal(err)
	}
	want := `
skipped: 2 tests need nft: apt-get install nftables
skipped: 1 test needs node: install Node.js
skipped: 1 test: no reason
skipped: 1 test: other words
skipped: 3 tests run only with make bench, make soak
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	for _, tt := range []struct {
		value string
		all   []skipped
		want  string
	}{
		{"fail", e.skipped, `5 tests are skipped, but MIXEDKUBE_SKIPS is fail:
  a TestA: needs nft: apt-get install nftables
  a TestB/x: needs node: install Node.js
  b TestC: needs nft: apt-get install nftables
  b TestG: other words
  b TestH: no reason`},
		{"fail", []skipped{{"b", "TestD", "only with make soak"}}, ""},
		{"", e.skipped, ""},
		{"no", nil, `MIXEDKUBE_SKIPS is "no": set it to "fail", or unset it`},
	} {
		check, err := checkSkips(tt.value)
		if err == nil {
			err = check(tt.all)
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s=%s (-want +got):\n%s", skipsVariable, tt.value, diff)
		}
	}
	out.Reset()
	if err := writeSkipped(nil, &out); err != nil || out.String() != "" {
		t.Errorf("without skipped tests it prints %q, %v", out.String(), err)
	}
}
