// Package pulumicommand simulates pulumi-command (release 1.1.0, https://github.com/pulumi/pulumi-command): a provider
// of local.Command that runs commands as pulumi-command does. It has no other types, and does not collect assets.
//
// Unlike pulumi-command, it hides the standard input and secrets where a command prints them: in errors and in the log.
package pulumicommand
