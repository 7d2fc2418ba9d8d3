// Package provider serves the components to programs in other languages than Go: as the plugin
// pulumi-resource-mixedkube, which the engine asks to construct a component, and which calls the
// component's constructor then. So a component has one implementation, and one set of tokens, child
// names and URNs: a stack that a Go program has made is unchanged for a program in another language.
//
// The argument types of the components are the schema ([Schema]): their tags pulumi have the
// names and say what is optional, their comments are the descriptions. What other languages write as text,
// such as a taint, stands in one table, [texts].
//
// # Inputs at the plugin's edge
//
// Go's compiler keeps outputs out of plain fields. Here a request is read against the argument type
// first ([read]): plain values become one tree, which is decoded by the decoder of stack configurations,
// with its words; what goes into a field that takes a Pulumi input is handed to Pulumi's SDK as it is,
// with what is unknown, secret and depended on. A plain field does not take an output, except one that
// other components give, such as a topology. The component then depends on what that output depends on,
// as with the option DependsOn in Go, and its children are made after it. Such a value cannot be a secret,
// as previews show what follows from it.
package provider
