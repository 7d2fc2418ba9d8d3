// Package helm tests what the command mixedkube does with Helm charts, with the helm of the lab's
// tools and a chart with a hook, a test and another chart in it.
package helm
