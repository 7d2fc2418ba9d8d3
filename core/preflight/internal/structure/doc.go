// Package structure knows the kinds that the API servers of some versions of Kubernetes serve, with all their fields
// and types: those of the supported versions, and of an older one that AKS supports for longer. It reports unknown
// fields and values of the wrong type: what the API server refuses when it decodes an object, before it validates the
// values. It also reports fields that the API server drops by default. It does not know kinds of other groups, such as
// custom resources.
//
// The kinds are data: TestGeneratedTable in tests/structure generates table.txt from the OpenAPI descriptions in the
// modules of Kubernetes' releases. The table is parsed on first use, and importing this package does not import any
// type of Kubernetes' API.
package structure
