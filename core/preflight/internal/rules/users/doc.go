// Package users has the rules about whom containers run as: the user names and credential specs in windowsOptions,
// runAsNonRoot on Windows, and the accounts of host-process containers.
package users
