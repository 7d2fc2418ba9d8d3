package guard

import (
	"fmt"
	"sync/atomic"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard/internal/record"
	"github.com/mixedkube/mixedkube/components/guard/internal/watch"
)

// Looked counts the objects that the guard of a program checks, before Enforce is called.
func Looked(ctx *pulumi.Context) func() string {
	g := ctx.Value(contextKey{}).(*guard)
	c := &counting{Watcher: g.watcher}
	g.watcher = c
	return func() string {
		passed := c.passed.Load()
		return fmt.Sprintf("%d objects, %d of them in the program itself", c.checked.Load()+passed, passed)
	}
}

// counting counts what a watcher shows its recorder.
type counting struct {
	watch.Watcher
	watch.Recorder
	checked, passed atomic.Int64
}

func (c *counting) Begin(r watch.Recorder) error {
	c.Recorder = r
	return c.Watcher.Begin(c)
}

func (c *counting) Check(o record.Object, properties func() map[string]any) record.Verdict {
	return c.Recorder.Check(o, func() map[string]any {
		c.checked.Add(1)
		return properties()
	})
}

func (c *counting) Pass(o record.Object, properties map[string]any) bool {
	passes := c.Recorder.Pass(o, properties)
	if passes {
		c.passed.Add(1)
	}
	return passes
}
