// Package clustermap has the tests that look at maps of clusters in a real browser: Debian's Chromium.
package clustermap
