package manifests

// The limits of [ReadYAML]. A document beyond a limit is an error: it is parsed only after its size and its number of
// values have been checked. What is inside the limits costs a number of steps that grows with its size, and not with the
// square of it: tests count them.
const (
	// MaxFileSize is the maximum size of a file or of standard input, in bytes: the objects of a cluster fit into it.
	MaxFileSize = 32 << 20
	// MaxFileValues is how many values a file or standard input can have, counted as for [MaxValues]: all of them are
	// in memory together.
	MaxFileValues = 2_000_000
	// MaxObjects is how many objects one run can have, in all files together: something of each stays in memory. It is
	// ten times as many as the pods of the largest cluster that Kubernetes supports
	// (https://kubernetes.io/docs/setup/best-practices/cluster-large/).
	MaxObjects = 1_500_000
	// MaxSize is the maximum size of a document, in bytes: the API server accepts 3 MB in one request. JSON objects
	// that follow one another count as one document.
	MaxSize = 5 << 20
	// MaxDocuments is how many documents one file can have. Objects in a List are not counted, nor are JSON objects
	// that follow one another.
	MaxDocuments = 25_000
	// MaxValues is how many values one document can have. In YAML they are counted before it is parsed, by the marks
	// between values (line ends, commas, opening brackets and braces, the hyphens of lists), including the marks inside
	// of texts.
	MaxValues = 500_000
	// MaxDepth is how deeply lists and mappings can be nested.
	MaxDepth = 1000
	// MaxAliased is how many values all aliases and merge keys of one document can expand to in total.
	MaxAliased = 100_000
	// MaxErrors is how many errors of one file are listed.
	MaxErrors = 100
)
