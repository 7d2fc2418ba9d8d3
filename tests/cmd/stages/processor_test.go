package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/tests/internal/proctime"
)

func TestOwnersOfProcesses(t *testing.T) {
	t.Parallel()
	own := owner("/src")
	run := proctime.Owner{Test: "tests/e2e", Program: "tests"}
	for _, tt := range []struct {
		p            proctime.Process
		parent, want proctime.Owner
	}{
		{proctime.Process{Name: "make"}, proctime.Owner{}, proctime.Owner{Test: "-", Program: "make"}},
		{
			proctime.Process{Name: "e2e.test", Args: []string{"/tmp/go-build1/e2e.test"}, Dir: "/src/tests/e2e"},
			proctime.Owner{Test: "-", Program: "go"},
			run,
		},
		// The kernel cuts off names.
		{
			proctime.Process{
				Name: "differential.te", Args: []string{"/t/differential.test"}, Dir: "/src/tests/differential",
			},
			proctime.Owner{},
			proctime.Owner{Test: "tests/differential", Program: "tests"},
		},
		{
			proctime.Process{Name: "pulumi-resource-kub", Dir: "/src", Args: []string{"provider", "127.0.0.1:1"}},
			proctime.Owner{Test: "tests/e2e TestLab", Program: "Pulumi"},
			proctime.Owner{Test: "tests/e2e TestLab", Program: "Pulumi's providers"},
		},
		{
			proctime.Process{Name: "pulumi", Env: []string{"A=b", "TMPDIR=/tmp/TestKilledRunat_once1234567890/001/x"}},
			run,
			proctime.Owner{Test: "tests/e2e TestKilledRunat_once", Program: "Pulumi"},
		},
		{
			proctime.Process{Name: "node", Args: []string{"node", "/tmp/TestTheShop3423/002/index.ts"}},
			proctime.Owner{Test: "tests/languages", Program: "tests"},
			proctime.Owner{Test: "tests/languages", Program: "node"},
		},
		{
			proctime.Process{
				Name: "pulumi", Env: []string{"MIXEDKUBE_TEST=TestLab/in_go", "TMPDIR=/tmp/TestX12345/001"},
			},
			run,
			proctime.Owner{Test: "tests/e2e TestLab/in_go", Program: "Pulumi"},
		},
		{
			proctime.Process{Name: "etcd", Args: []string{
				"etcd", "--data-dir=/tmp/mixedkube-tests-1-2/labs/0/lab123/cluster/kwok/etcd",
			}},
			run,
			proctime.Owner{Test: "labs", Program: "etcd"},
		},
		// Without a test above, a directory is only a name.
		{
			proctime.Process{Name: "sh", Dir: "/tmp/TestThis1234567890/001"},
			proctime.Owner{},
			proctime.Owner{Test: "-", Program: "sh"},
		},
	} {
		if diff := cmp.Diff(tt.want, own(tt.p, tt.parent)); diff != "" {
			t.Errorf("%+v below %+v (-want +got):\n%s", tt.p, tt.parent, diff)
		}
	}
}

func TestTheTableOfProcessorTimes(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := writeProcessor(map[proctime.Owner]proctime.Use{
		{Test: "-", Program: "link"}:               {Time: 90 * time.Second, Processes: 30},
		{Test: "tests/e2e TestLab", Program: "go"}: {Time: 400 * time.Millisecond, Processes: 1},
		{Test: "tests/e2e TestLab", Program: "a"}:  {Time: 61 * time.Second, Processes: 2},
		{Test: "tests/e2e TestLab", Program: "b"}:  {Time: 60 * time.Second, Processes: 1},
		{Test: "tests/helm", Program: "a"}:         {Time: 2 * time.Second, Processes: 1},
	}, &out); err != nil {
		t.Fatal(err)
	}
	want := `
  213 s  of processors, by program:
   90 s    link (30)
   63 s    a (3)
   60 s    b (1)
         by test:
  121 s    tests/e2e TestLab: a 61, b 60
   90 s    -: link 90
    2 s    tests/helm: a 2
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("the table (-want +got):\n%s", diff)
	}
}
