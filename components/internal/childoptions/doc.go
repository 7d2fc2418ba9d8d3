// Package childoptions hands the options of a component to the resources that they are meant for.
//
// Pulumi gives the options of a component to the component. Some reach its children from there: the
// SDK (context.go) hands down providers, protect and transformations, the engine
// (inheritFromParent in source_eval.go, and the transforms of parents) protect, retainOnDelete,
// deletedWith and transforms, and children begin once their component is registered, which is after
// what it depends on. The others, ignoreChanges and customTimeouts for example, say nothing about
// a component, which no provider manages, and Pulumi drops them without a word. [Component.Split]
// hands these to a child, and refuses what can reach none.
//
// An alias with the type of a child goes to that child. At the component it would make the engine
// take the state of the other resource for that of the component, and then delete the resource.
package childoptions
