// Package debian unpacks the machine's own Debian or Ubuntu packages into a folder. apt-get
// downloads them, and verifies them: nothing is installed, and nobody need be root.
//
// Tests take programs from there that a machine may lack, see [Programs], and package wine
// takes Wine.
package debian
