package kubeapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// StatusError is an answer of the API server that is not a success.
type StatusError struct {
	// Verb and Object describe the request. The verb is get, list, create, replace, patch, delete
	// or evict.
	Verb   string
	Object Object
	// Code is the HTTP status code, Reason is Kubernetes' reason, and Message explains it. Answers
	// about Secrets have no message, because it might repeat a part of the request.
	Code            int
	Reason, Message string
}

// Error describes the request and the answer.
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

// IsNotFound reports whether the object does not exist.
func IsNotFound(err error) bool { return hasCode(err, http.StatusNotFound) }

// IsAlreadyExists reports whether an object exists that the request was to create.
func IsAlreadyExists(err error) bool {
	var status *StatusError
	return errors.As(err, &status) && status.Code == http.StatusConflict && status.Reason == "AlreadyExists"
}

// IsConflict reports whether the object is not in the state that the request expects.
func IsConflict(err error) bool {
	var status *StatusError
	return errors.As(err, &status) && status.Code == http.StatusConflict && status.Reason != "AlreadyExists"
}

// IsTooManyRequests reports whether the request must be repeated later: for an eviction, a
// PodDisruptionBudget does not allow it now.
func IsTooManyRequests(err error) bool { return hasCode(err, http.StatusTooManyRequests) }

func hasCode(err error, code int) bool {
	var status *StatusError
	return errors.As(err, &status) && status.Code == code
}

// IsInternal reports whether the API server itself has failed: for an eviction, the pod has several
// PodDisruptionBudgets.
func IsInternal(err error) bool { return hasCode(err, http.StatusInternalServerError) }

// MessageOf returns the message of the API server, or the text of the error if there is none.
func MessageOf(err error) string {
	var status *StatusError
	if errors.As(err, &status) && status.Message != "" {
		return status.Message
	}
	return err.Error()
}
