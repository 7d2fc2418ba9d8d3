// Package images is the lock file mixedkube.images.yaml: what registries have said about the images
// that a program or a folder of manifests uses. With it, the rules know for which systems,
// releases of Windows and processors an image is, without asking anybody: a preview is repeatable,
// and works offline. Package registry below it asks the registries, and the command
//
//	mixedkube images lock deploy/
//
// writes the file. This package reads and writes files only.
package images
