// Package componenttest has helpers of the components' tests.
package componenttest
