package azurenative

import (
	"errors"
	"fmt"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

// failure is an error in azure-native's words.
func failure(err error) error {
	if e, ok := errors.AsType[*arm.Error](err); ok {
		return &responseError{e}
	}
	return err
}

type responseError struct{ cause *arm.Error }

// Error has the message as it is: azure-native does not escape it.
func (e *responseError) Error() string {
	return fmt.Sprintf(`Status=%d Code="%s" Message="%s"`, e.cause.Status, e.cause.Code, e.cause.Message)
}

func (e *responseError) Unwrap() error { return e.cause }
