package manifests

// What [ReadYAML] reads at most. A document beyond a limit is an error, in far less
// than a second: none is parsed before its size and its number of values are known to
// be in bounds.
const (
	// MaxFileSize is that of a file or of standard input, in bytes: what a cluster holds
	// fits into it.
	MaxFileSize = 32 << 20
	// MaxFileValues is how many values a file or standard input can have, as those of
	// [MaxValues] are counted: all of them are in memory together.
	MaxFileValues = 2_000_000
	// MaxSize is that of a document, in bytes: the API server takes 3 MB in one
	// request. JSON objects that follow one another count as one document.
	MaxSize = 5 << 20
	// MaxDocuments is how many documents one file can have. Objects in a List are
	// not counted, nor are JSON objects that follow one another.
	MaxDocuments = 25_000
	// MaxValues is how many values one document can have. For YAML they are
	// counted before it is parsed, by the marks that stand between values (line
	// ends, commas, opening brackets and braces, the hyphens of lists), in texts
	// too.
	MaxValues = 500_000
	// MaxDepth is how deep lists and mappings can be in one another.
	MaxDepth = 1000
	// MaxAliased is how many values the aliases and merge keys of one document
	// can stand for, all together.
	MaxAliased = 100_000
	// MaxErrors is how many errors are listed of one file.
	MaxErrors = 100
)
