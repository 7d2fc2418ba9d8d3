package arm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Began reports whether Azure accepted the request, and its operation began and failed. Azure's clients learn of the
// failure when they query the state of the operation, and that query itself succeeds.
func (e *Error) Began() bool { return e.Status == http.StatusOK }

// ofManager are the codes of Azure Resource Manager, which answers before a resource provider does.
var ofManager = []string{
	"InvalidRequestContent", "InvalidResourceId", "InvalidResourceLocation", "InvalidResourceType",
	"LinkedInvalidPropertyId", "LocationRequired", "MissingRequestBody", "NotSimulated", "ParentResourceNotFound",
	"ResourceGroupNotFound", "ResourceNotFound", "SubscriptionNotFound",
}

// IsBare reports whether the body of the answer to a request for the resource of an ID is the error itself. Other
// errors are in an envelope, {"error": …}. An error of AKS is bare
// (https://github.com/pulumi/pulumi-azure-native/issues/4206), unless it is the error of an operation that failed.
func (e *Error) IsBare(id string) bool {
	ofAKS := strings.Contains(strings.ToLower(id), "/providers/microsoft.containerservice/")
	return ofAKS && !e.Began() && !slices.Contains(ofManager, e.Code)
}

// Body returns the body of the answer to a request for the resource of an ID.
func (e *Error) Body(id string) string {
	body := map[string]any{"code": e.Code, "message": e.Message}
	if e.Target != "" {
		body["target"] = e.Target
	}
	if !e.IsBare(id) {
		return text(json.Marshal(map[string]any{"error": body}))
	}
	body["details"], body["subcode"] = nil, ""
	return text(json.MarshalIndent(body, " ", " "))
}

// text converts the result of json.Marshal for values that can always be encoded.
func text(data []byte, err error) string {
	if err != nil {
		panic(fmt.Sprintf("arm: an error cannot be encoded: %v", err))
	}
	return string(data)
}

// refused returns a 400, the answer to most invalid requests.
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

// broken returns a failure on Azure's side.
func broken(code, format string, args ...any) *Error {
	return &Error{Status: http.StatusInternalServerError, Code: code, Message: fmt.Sprintf(format, args...)}
}

// operationFailed returns an operation that began and failed.
func operationFailed(code, format string, args ...any) *Error {
	return &Error{Status: http.StatusOK, Code: code, Message: fmt.Sprintf(format, args...)}
}
