// Package provider serves the components to programs in languages other than Go, as the plugin
// pulumi-resource-mixedkube. The engine requests a component from the plugin, which calls the component's constructor.
// So a component has one implementation, and one set of tokens, child names and URNs: a stack that a Go program has
// created does not change when a program in another language takes it over.
//
// The schema ([Schema]) comes from the argument types of the components: their pulumi tags have the names and mark
// optional fields, and their comments are the descriptions. One table, [texts], lists the types that other languages
// write as text, such as a taint. Another one, [typeTokens], has the names of types in other languages.
//
// # Inputs of the plugin
//
// Go's compiler does not accept outputs in plain fields. The plugin first reads a request against the argument type
// ([read]). Plain values become one tree, which the decoder of stack configurations decodes, with the same errors.
// Values for fields that take a Pulumi input are passed unchanged to Pulumi's SDK, including unknown values, secrets
// and dependencies. A plain field does not take an output, except an output of another component, such as a topology.
// The component then depends on the dependencies of that output, as with the option DependsOn in Go, and its children
// are created after them. Such a value cannot be a secret, because previews show what follows from it.
package provider
