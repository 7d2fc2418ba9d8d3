// Package schemas generates the JSON schemas of the files that people write: topologies, the command's
// configuration, and the configurations of the stacks. It derives them from the decoded types and from
// the comments on their fields. The tests compare each schema with its decoder: both must accept and refuse
// the same documents.
package schemas
