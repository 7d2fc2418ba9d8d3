// Package debian unpacks the machine's own Debian or Ubuntu packages into a directory. apt-get
// downloads and verifies them. Nothing is installed, and root is not required.
//
// Tests use programs from there that a machine may lack, see [Programs], and package wine
// uses Wine.
package debian
