// Package pulumicommand is a simulated pulumi-command (release 1.1.0,
// https://github.com/pulumi/pulumi-command): a provider of local.Command that runs
// commands as it does. It has no other types, and collects no assets.
//
// Unlike pulumi-command, it does not show what the standard input or a secret was,
// where a command prints it: not in an error, and not in the log.
package pulumicommand
