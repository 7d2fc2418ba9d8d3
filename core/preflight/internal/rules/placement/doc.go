// Package placement has the rules about where pods can land, today and after a planned change of the cluster.
package placement
