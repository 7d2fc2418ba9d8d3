package azurenative

import (
	"errors"
	"fmt"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

// failure returns an error of a request for the resource of an ID with azure-native's text.
func failure(id string, err error) error {
	if e, ok := errors.AsType[*arm.Error](err); ok {
		return &responseError{id, e}
	}
	return err
}

type responseError struct {
	id    string
	cause *arm.Error
}

// Error returns the message from the envelope, or else the whole body. azure-native does not escape them
// (https://github.com/pulumi/pulumi-azure-native/issues/4206).
func (e *responseError) Error() string {
	message := e.cause.Message
	if e.cause.IsBare(e.id) {
		message = e.cause.Body(e.id)
	}
	return fmt.Sprintf(`Status=%d Code="%s" Message="%s"`, e.cause.Status, e.cause.Code, message)
}

func (e *responseError) Unwrap() error { return e.cause }
