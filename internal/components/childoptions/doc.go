// Package childoptions passes the options of a component to the resources that they are intended for.
//
// Pulumi applies the options of a component to the component. Some reach its children from there: the SDK (context.go)
// passes providers, protect and transformations to them, the engine (inheritFromParent in source_eval.go, and the
// transforms of parents) protect, retainOnDelete, deletedWith and transforms, and children begin after their component
// is registered, which is after its dependencies. The others, for example ignoreChanges and customTimeouts, have no
// effect on a component, which no provider manages, and Pulumi silently drops them. [Component.Split] passes these to a
// child, and refuses options that can reach none.
//
// An alias with the type of a child applies to that child. On the component it would make the engine use the state of
// the other resource as that of the component, and then delete the resource.
package childoptions
