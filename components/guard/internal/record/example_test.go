package record_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard/internal/record"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// A recorder judges what it is shown. The end of the program has the findings.
func Example() {
	_, _ = mocktest.Run(func(ctx *pulumi.Context) error {
		r := record.New(ctx, record.Options{
			Clusters: []record.Cluster{{}},
			Logged:   func(string) bool { return false },
			Stopping: func(s record.Stopped) error { return fmt.Errorf("stopped by %s", s.Report.Blocking()[0].Rule) },
		})
		if err := r.Open(); err != nil {
			return err
		}
		fmt.Println("stops:", r.Check(shown("", pod("right", right))).Stops)
		fmt.Println("stops:", r.Check(shown("", pod("wrong", wrong))).Stops)
		fmt.Println(r.Finish(record.End{}))
		return nil
	}, mocktest.Preview())
	// Output:
	// stops: false
	// stops: true
	// stopped by MK111
}
