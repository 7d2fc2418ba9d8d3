// Package images decodes and encodes the lock file mixedkube.images.yaml, which has the facts from registries about the
// images that a program or a directory of manifests uses. With it, the rules know an image's operating systems, Windows
// releases and processors without a request to a registry: a preview is repeatable, and works offline. Package
// system/registry sends the requests to registries, and the command
//
//	mixedkube images lock deploy/
//
// writes the file. This package knows its content, and the caller opens it.
package images
