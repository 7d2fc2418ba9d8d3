package tools

import (
	"context"
	"io"
)

// reader is a function as an io.Reader.
type reader func([]byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

// while reads from source until ctx is done.
func while(ctx context.Context, source io.Reader) io.Reader {
	return reader(func(p []byte) (int, error) {
		if cause := context.Cause(ctx); cause != nil {
			return 0, cause
		}
		return source.Read(p)
	})
}
