// Package sdks builds and packs the SDKs of the plugin, installs them as users do, and checks programs
// that use them: the examples, and programs with mistakes. TypeScript needs Node.js and npm, and Python
// needs python3 with pip; without them the tests are skipped. npm and pip cache the packages that the tests
// install.
package sdks
