// Package images has the rules about images, and about the programs that containers start from them.
package images
