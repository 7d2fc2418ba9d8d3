package arm

import (
	"fmt"
	"net/http"
)

// refused is a 400, the answer to most of what is wrong.
func refused(code, target, format string, args ...any) *Error {
	return &Error{Status: http.StatusBadRequest, Code: code, Message: fmt.Sprintf(format, args...), Target: target}
}

func invalidContent(path, why string) *Error {
	message := "The request content was invalid and could not be deserialized: '" + why
	if path != "" {
		message += ". Path '" + path + "'"
	}
	return refused("InvalidRequestContent", path, "%s.'", message)
}

// invalidParameter is AKS' answer to a value out of bounds.
func invalidParameter(target, format string, args ...any) *Error {
	return refused("InvalidParameter", target,
		"The value of parameter %s is invalid. Error details: %s. Please see https://aka.ms/aks-naming-rules for more "+
			"details.",
		target, fmt.Sprintf(format, args...))
}

func missingParameter(target string) *Error {
	return refused("InvalidParameter", target, "Required parameter %s is missing (null).", target)
}

func changed(target string) *Error {
	return refused("PropertyChangeNotAllowed", target, "Changing property '%s' is not allowed.", target)
}

func notAllowed(format string, args ...any) *Error {
	return refused("OperationNotAllowed", "", format, args...)
}

func notFound(code, format string, args ...any) *Error {
	return &Error{Status: http.StatusNotFound, Code: code, Message: fmt.Sprintf(format, args...)}
}

func conflict(code, format string, args ...any) *Error {
	return &Error{Status: http.StatusConflict, Code: code, Message: fmt.Sprintf(format, args...)}
}

// broken is a failure of Azure's own.
func broken(code, format string, args ...any) *Error {
	return &Error{Status: http.StatusInternalServerError, Code: code, Message: fmt.Sprintf(format, args...)}
}
