// Package classes has the rules about RuntimeClasses, and about the pods that name them.
package classes
