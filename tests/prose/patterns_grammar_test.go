package prose_test

// grammar are sentences whose order or whose pronouns are not those of English.
var grammar = []pattern{
	{
		name: "What …", write: `a noun first: "Fields that are not set …", or the verb: "If … is not set, …"`,
		find: `START(What) ([\w'-]+,? ){1,12}?(is|are|has|have|does|do|stays?|stands?|fails?|counts?|goes|go|needs?|` +
			`must|can|cannot|may|comes?|says?|gets?|runs?|wins?|matters|becomes?|takes?|makes?|keeps?)\b[^?]*$`,
		except: `What to\b`,
		old:    []string{"What is left out counts as its default.", "What a class is called is decided elsewhere."},
		fine:   []string{"What is wrong with the pool?", "Whatever is left out has its default.", "What to do"},
	},
	{
		name: "name is that of", write: `"name is the … of", "name is the …'s …"`,
		find: `^[\w.]+ (is|are) (that|those|the one|the ones) (of|that|which)\b`,
		old:  []string{"network is that of the pods.", "types are those that new arguments are made of."},
		fine: []string{"network is the network of the pods.", "The name is that of the pool."},
	},
	{
		name: "what is given", write: `name it: "the arguments", "the input", "the resource that uses it"`,
		find: `\bfails what\b|\bwhat (it |they |he )?(is|was|are) given\b`,
		old:  []string{"It fails what it is given to.", "values are those of the chart: what is given, and more"},
		fine: []string{"It fails for what reason?", "the given name"},
	},
	{
		name: "makes it those of", write: `"reconciles … with …", "the same as in …"`,
		find: `\b(makes?|become|as) (the \w+ )?those of\b|, all of them, `,
		old:  []string{"Nodes makes the nodes those of the pools, all of them, of all clusters."},
		fine: []string{"the names and those of the pools", "All of them fail."},
	},
	{
		name: "One that …", write: `repeat the noun: "A pool that …"`,
		find: `START(One) (that|without|with|which|whose)\b`,
		old:  []string{"It is kept. One that is there gets them too."},
		fine: []string{"One of them signs.", "the one that signs"},
	},
	{
		name: "where there is none", write: `"if there is none", "if any"`,
		find: `\bwhere (there|it|they) (is|are|has|have) (none|one|some|no|any)\b|\bwhere there (is|are)([.,;:)]|$)`,
		old:  []string{"nil where there is none", "the pools decide, where there are some", "false where it has none"},
		fine: []string{"if there is none", "where the pools are", "where there is a taint"},
	},
	{
		name: "nil where", write: `"nil if"`,
		find: `(\b(nil|empty|false|true|0)|"") where\b`, except: `where there (is|are) none`,
		old:  []string{"It is nil where the size is unknown.", "0 where it is not set"},
		fine: []string{"nil if the size is unknown"},
	},
	{
		name: "nil for nothing", write: `"nil if there is none"`,
		find: `(\b(nil|empty|false|true|0)|"") (for (none|nothing)|otherwise)\b|\bnil (hears|are|takes|is for)\b`,
		old:  []string{"the errors, nil for nothing", "nil hears of none", "nil takes charts for directories"},
		fine: []string{"nil for a pool without nodes"},
	},
	{
		name: "as X has it", write: `"as in …", "as … writes it"`,
		find: `\bas [\w' -]{2,40} (has|have) (it|them)\b`, except: `\bas (long|soon|often|far|much|many|well|if)\b`,
		old:  []string{"The kind, as Kubernetes has it.", "the types as the SDK has them"},
		fine: []string{"as soon as it has started", "as in Kubernetes"},
	},
	{
		name: "also if", write: `"even if", "including"`,
		find: `, also (if|when|where|in|on|for|by|with|of|to|from|after|at)\b`,
		old:  []string{"It stays, also if Pulumi fails.", "an agent on each node, also on those to come"},
		fine: []string{"It also removes the file.", "even if Pulumi fails"},
	},
	{
		name: "from … on", write: `"since", "starting with", "… and newer", "now"`,
		find: `\bfrom (now|then|there|the \w+|a \w+|[\d.]+|version [\d.]+|its \w+) on` +
			`([.,;:)]|$| (which|that|it|they|and)\b)`,
		old: []string{
			"It is private from the beginning on.", "Wine has it from 9.0 on.", "From then on, from now on.",
		},
		fine: []string{"It reads from the file on the node.", "copied from the pod on Windows"},
	},
	{
		name: "any more", write: `"no longer", "not … anymore"`,
		find: `\bany more\b`, except: `any more (than|\w+s)\b`,
		old:  []string{"The image is not published any more.", "It does not answer any more."},
		fine: []string{"It is no longer published.", "without any more nodes"},
	},
	{
		name: "… at least.", write: `"at least" before the number`,
		find: `\b(is|are|has|have|\w+s|one|two|three|\d+) at least[.,;:)]`,
		old:  []string{"It is valid for 24 days at least, and then renewed.", "what it requests at least."},
		fine: []string{"at least 24 days", "It needs, at least, a name."},
	},
	{
		name: "is of", write: `"belongs to", "is from", "has the type"`,
		find: `\b(is|are|was|were) of (a|an|another|its|their|no|the)\b`, except: `of (no )?(use|the same|a kind)\b`,
		old: []string{
			"The node is of the control plane.", "the graph is of a preview", "an image is of no Windows Server",
		},
		fine: []string{"It is of no use.", "They are of the same type.", "a node of the control plane"},
	},
	{
		name: "otherwise", write: `"differently", "in another way"`,
		find: `\b(called|written|do|does|done|spelled|named|has|have|had|look|looks|behaves?|that|it|them) otherwise\b`,
		old:  []string{"How Windows does it otherwise.", "fields that are called otherwise"},
		fine: []string{"unless the pod says otherwise", "Otherwise it fails."},
	},
	{
		name: "of which nothing", write: `"about which nothing", or turn it: "without …"`,
		find: `\bof (which|whom|whose) (nothing|only|no|none)\b`,
		old:  []string{"an image of which nothing is known", "a chart of which only the manifest is used"},
		fine: []string{"a pool whose size is unknown", "two, of which one is a resource"},
	},
	{
		name: "nothing but", write: `"only"`,
		find: `\bnothing but\b`,
		old:  []string{"The tests need nothing but Go."},
		fine: []string{"The tests need only Go."},
	},
	{
		name: "as far as", write: `"if known", "to the extent that", "the known …"`,
		find: `\bas far as\b`, except: `as far as [\w ]+ (concerned|goes)`,
		old:  []string{"the pools where pods can land, as far as it is known"},
		fine: []string{"the known pools", "as far as Azure is concerned"},
	},
	{
		name: "what X makes of", write: `"how X reads …", "the result of …"`,
		find: `\bwhat [\w' ]{1,30} (makes?|made|said|says?|asks?|leaves?|thinks?|lists?) of ` +
			`(it|them|the|a|an|what|each|such|this)\b`,
		old:  []string{"what kubectl makes of such keys", "what Azure says of the pool"},
		fine: []string{"what consists of the same", "what a list is made of"},
	},
}
