// Package bootstrap makes the files that turn a machine into a node of a mixed
// cluster, Windows Server 2019, 2022 and 2025 or Linux, wherever the machine comes
// from. It is pure: it touches neither the machine nor a cloud.
//
// A [Cluster] describes all of it; [NodeFiles] gives the files of one node. On Linux
// [CloudConfig] puts them into a document for cloud-init, on Windows [WindowsScript]
// into one PowerShell script.
package bootstrap
