package guard

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Looked reports how many objects the guard of a program has checked by its end.
func Looked(ctx *pulumi.Context) func() string {
	g := ctx.Value(contextKey{}).(*guard)
	return func() string {
		g.mu.Lock()
		defer g.mu.Unlock()
		return fmt.Sprintf("%d objects, %d of them in the program itself", len(g.seen), g.inside)
	}
}
