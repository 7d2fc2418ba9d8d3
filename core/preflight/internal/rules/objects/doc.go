// Package objects has the rules about objects as a whole, whether they have pods or not: their version, fields and
// types, their text, and the annotations of mixedkube.
package objects
