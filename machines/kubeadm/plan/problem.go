package plan

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
)

// invalid returns a problem with a value.
func invalid(path *field.Path, value any, detail, fix string) rule.Problem {
	return rule.Problem{Path: path.String(), Type: field.ErrorTypeInvalid, Value: value, Detail: detail, Fix: fix}
}

// required returns a problem with a missing value.
func required(path *field.Path, detail string) rule.Problem {
	return rule.Problem{Path: path.String(), Type: field.ErrorTypeRequired, Value: "", Detail: detail}
}
