// Package powershell parses the PowerShell scripts of Windows nodes with a grammar of
// PowerShell, as there is no PowerShell to run them with: tree-sitter-powershell, in
// WebAssembly, run by Node.js. It also looks for what would fail on a node only: names
// of variables and functions that do not exist.
//
//	go test ./powershell
//	go test ./powershell -scripts 20000 -seed 7
//	go test ./powershell -run '^$' -fuzz FuzzWindowsScript
//
// The directory grammar pins the npm packages; they are installed into the user's cache,
// not here. Without Node.js and npm the tests are skipped.
package powershell
