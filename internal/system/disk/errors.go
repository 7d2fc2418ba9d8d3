package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// RefusedError is the error about a file that this package does not read or write, although the system would.
type RefusedError struct{ Detail string }

// Error returns what is wrong, and the fix.
func (r *RefusedError) Error() string { return r.Detail }

func refused(format string, args ...any) error { return &RefusedError{fmt.Sprintf(format, args...)} }

// Named adds the name of a file to an error, once.
func Named(name string, err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	} else if link, ok := errors.AsType[*os.LinkError](err); ok {
		err = link.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}
