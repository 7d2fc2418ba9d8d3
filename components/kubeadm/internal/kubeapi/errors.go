package kubeapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// StatusError is an answer of the API server that is not a success.
type StatusError struct {
	// Verb and Object are what was asked: get, list, create, replace, patch, delete or evict.
	Verb   string
	Object Object
	// Code is that of HTTP, Reason a word of Kubernetes, and Message what it says about it.
	// Answers about Secrets have no message: it might repeat a part of the request.
	Code            int
	Reason, Message string
}

// Error names what was asked, and says what the answer was.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s %s: the API server answers %d", e.Verb, e.Object, e.Code)
	if e.Reason != "" {
		text += " " + e.Reason
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

func newStatusError(verb string, o Object, code int, body []byte) *StatusError {
	e := &StatusError{Verb: verb, Object: o, Code: code}
	var status struct{ Reason, Message string }
	if json.Unmarshal(body, &status) == nil {
		e.Reason, e.Message = status.Reason, status.Message
	}
	if o.Resource == "secrets" {
		e.Message = ""
	}
	return e
}

// IsNotFound reports whether an error is that there is no such object.
func IsNotFound(err error) bool { return hasCode(err, http.StatusNotFound) }

// IsAlreadyExists reports whether an error is that an object to be created is there.
func IsAlreadyExists(err error) bool {
	var status *StatusError
	return errors.As(err, &status) && status.Code == http.StatusConflict && status.Reason == "AlreadyExists"
}

// IsConflict reports whether an error is that an object is not what the request takes it for.
func IsConflict(err error) bool {
	var status *StatusError
	return errors.As(err, &status) && status.Code == http.StatusConflict && status.Reason != "AlreadyExists"
}

// IsTooManyRequests reports whether an error is that something has to wait: for an eviction, that a
// PodDisruptionBudget does not allow it now.
func IsTooManyRequests(err error) bool { return hasCode(err, http.StatusTooManyRequests) }

func hasCode(err error, code int) bool {
	var status *StatusError
	return errors.As(err, &status) && status.Code == code
}

// IsInternal reports whether an error is the API server's own: for an eviction, that several
// PodDisruptionBudgets are for the pod.
func IsInternal(err error) bool { return hasCode(err, http.StatusInternalServerError) }

// MessageOf is what the API server says about an error, or the error where that is nothing.
func MessageOf(err error) string {
	var status *StatusError
	if errors.As(err, &status) && status.Message != "" {
		return status.Message
	}
	return err.Error()
}
