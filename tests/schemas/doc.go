// Package schemas generates the JSON schemas of the files that people write: topologies, the command's
// configuration, and the configurations of the stacks. They are made from the types that are decoded and
// from the comments on their fields. The tests hold each schema against its decoder: both accept and both
// refuse the same documents.
package schemas
