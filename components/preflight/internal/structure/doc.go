// Package structure knows the kinds that the API servers of the supported versions of Kubernetes
// serve, with all their fields and types, and says where an object has fields that there are
// not, or values of another type: what the API server refuses when it decodes the object, before
// it looks at what the values mean. Kinds of other groups, those of custom resources, are not
// known.
//
// What is known is data: table.txt, which TestGeneratedTable in tests/structure writes of the
// OpenAPI descriptions in the modules of Kubernetes' releases. It is read when it is asked for, and costs those who
// import this package no type of Kubernetes' API.
package structure
