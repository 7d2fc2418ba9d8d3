// Package completion decides what pods lack that name no operating system: the
// node selector and the tolerations that lead them to nodes that can run their
// images. It goes by the images, and never guesses: a tag such as 1.14-alpine, which
// an image for Windows may have too, is no answer where nothing else says Linux.
//
// It adds os.name to Windows pods as well, unless they have fields that the API server
// refuses then: those of Linux, which many manifests have and a Windows node ignores.
//
// It says what to add, as edits of the plain tree; whoever has the object in
// another form applies them there.
package completion
