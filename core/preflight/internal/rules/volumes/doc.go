// Package volumes has the rules about volumes of pods, how they are mounted, and about persistent volumes.
package volumes
