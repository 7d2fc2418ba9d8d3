// Package sdks builds and packs the SDKs of the plugin, installs them as users do, and checks programs
// that use them: the examples, and wrong ones. TypeScript needs Node.js and npm, Python python3 with
// pip; without them the tests are skipped. They install packages, which npm and pip keep in their caches.
package sdks
