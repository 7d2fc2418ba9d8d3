package azurenative

import (
	"errors"
	"fmt"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

// failure is an error of a request for the resource of an ID in azure-native's words.
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

// Error has the message out of the envelope, or else the whole body, as they are:
// azure-native does not escape them
// (https://github.com/pulumi/pulumi-azure-native/issues/4206).
func (e *responseError) Error() string {
	message := e.cause.Message
	if e.cause.IsBare(e.id) {
		message = e.cause.Body(e.id)
	}
	return fmt.Sprintf(`Status=%d Code="%s" Message="%s"`, e.cause.Status, e.cause.Code, message)
}

func (e *responseError) Unwrap() error { return e.cause }
