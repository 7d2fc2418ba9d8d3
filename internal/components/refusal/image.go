package refusal

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Image returns the error about an image with whitespace. It leaves the rest to the container runtime, which can judge
// it better.
func Image(image string, path *field.Path) field.ErrorList {
	if strings.ContainsAny(image, " \t\r\n") {
		return field.ErrorList{field.Invalid(path, image,
			"must not have leading, trailing or other whitespace: write registry/repository:tag")}
	}
	return nil
}
