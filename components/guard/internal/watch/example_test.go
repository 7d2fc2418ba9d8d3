package watch_test

import (
	"errors"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard/internal/watch"
	"github.com/mixedkube/mixedkube/components/mocktest"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
)

// A watcher shows a recorder what the program registers. In a preview the arguments of a resource are enough.
func Example() {
	r := &recorder{}
	_, err := mocktest.Run(func(ctx *pulumi.Context) error {
		watcher, err := watch.New(ctx)
		if err := errors.Join(err, watcher.Begin(r), pod("web")(ctx)); err != nil {
			return err
		}
		return watcher.Wait().Problem
	}, mocktest.Preview())
	fmt.Println(r.seen, err)
	// Output: [pass web of ""] <nil>
}
