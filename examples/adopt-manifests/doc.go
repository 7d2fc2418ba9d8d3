// Command adopt-manifests completes the Kubernetes manifests that a team already has
// for a mixed cluster: each workload gets os.name, and the node selector and the
// tolerations that lead its pods to the nodes of their operating system. Comments and
// everything else stay as they are. README.md says how.
//
//	adopt-manifests -topology FILE [-w | -o FOLDER] [-assume-linux] [-runtime-classes] [-platform KIND/NAME=PLATFORM]…
//
// PATH…
//
// It shows the difference, or writes it with -w or -o. Where nothing tells what pods
// are for, it asks.
package main
