package main

import (
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/client-go/kubernetes/scheme"
)

// strictly decodes objects of all kinds as an API server does with the field validation Strict, except those of
// aggregated API servers. It reports unknown fields, and values of the wrong type.
var strictly = json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme,
	json.SerializerOptions{Strict: true})

// decodeStrictly answers with the error of the decoder, if it has one.
func decodeStrictly(content []byte) answer {
	if _, _, err := strictly.Decode(content, nil, nil); err != nil {
		return answer{Errors: []fault{}, DecodeError: err.Error()}
	}
	return answer{Errors: []fault{}}
}
