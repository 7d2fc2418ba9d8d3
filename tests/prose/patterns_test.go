package prose_test

// pattern is a kind of phrase that plain English does not have.
type pattern struct {
	// name is what a hit is called, and write what to write instead.
	name, write string
	// find matches the phrase in a unit's text, and except what is fine although find matches a part of it.
	// START is where a sentence begins, and BE a form of "be".
	find, except string
	// old are sentences with the phrase, and fine are neighbors without it.
	old, fine []string
}

// patterns are those of the review, then grammar and words.
var patterns = append(append([]pattern{
	{
		name: "Of …", write: `the subject first, or "For a …"`,
		// A doc comment may begin with the name of a function Of.
		find: `START(Of) `, except: `Of course|^Of (returns|is|reports whether|lists (the|all))\b`,
		old: []string{
			"Of a pool with autoscaling the number of nodes is ignored.",
			"It asks. Of nil, this is a value of no kind.",
			"Of lists only the first item is used.", "Of a pod that Of returns nothing is known.",
		},
		fine: []string{
			"Of course it fails.", "The number of nodes.", "OfList reads a list.", "Of returns the type with a token.",
			"Of is the type of a token.", "Of reports whether a token has a type.", "Of lists the processes of a lab.",
		},
	},
	{
		name: "is no X", write: `"is not a …", "is not valid"`,
		find: `BE no \w+`,
		except: `\b[Tt]here (\w+ ){0,2}BE no |BE no (longer|more|less|fewer|such|one|doubt|need|use|better|worse|` +
			`different|matter|good|larger|smaller|older|newer|later|earlier|shorter)\b`,
		old: []string{
			`"a" is no name of a collector`, "So it is for what is no part of the suffix.", "a port that is no number",
			"ranges that are no CIDRs", "a value that must be no secret",
		},
		fine: []string{
			"The field is no longer there.", "There is no node.", "There are no nodes.", "It is no more than 4 MiB.",
			"It says that there is no policy.", "There must be no taint.",
		},
	},
	{
		name: "that there is", write: `"that exist", "of the cluster", or nothing`,
		find: `that there BE( not)?([.,;:)]|$| (in|on|of|for|at|and|when|where|before|or|to|by|here|not)\b)`,
		old: []string{
			"poolNames looks for options of pools that there are not.", "the nodes that there are",
			"commands are those that there are.", "a mode that there is not is refused",
		},
		fine: []string{"It says that there is no policy.", "It means that there are two pools."},
	},
	{
		name: "of which there is", write: `"that do not exist"`,
		find: `of which there BE`,
		old:  []string{"IDs of which there is no rule", "a class of which there are two"},
		fine: []string{"a list of which one is used"},
	},
	{
		name: "but for", write: `"except", "except for"`,
		find: `\bbut for\b`, except: `\bnot (only )?for [^,]*, but for`,
		old:  []string{"The file is valid but for what a test changes.", "all of it, but for the hash"},
		fine: []string{"valid except for the name", "but forever", "not for Linux, but for Windows"},
	},
	{
		name: "for ever", write: `"forever", "indefinitely"`,
		find: `\bfor ever\b`,
		old:  []string{"The pod waits for ever."},
		fine: []string{"The pod waits forever.", "one for every node"},
	},
	{
		name: "on its way", write: `"being created", "in progress"`,
		find: `\bon (its|their) way\b`,
		old:  []string{"A chart may still be on its way.", "those that are on their way out"},
		fine: []string{"in its own way"},
	},
	{
		name: "nobody", write: `the passive, "no one", "no user", "nothing", or the program that does not`,
		find: `\b[Nn]obody\b`, except: `(user|as|uid|account) nobody`,
		old:  []string{"a size nobody knows", "It asks nobody.", "a program by nobody", "Nobody limits requests."},
		fine: []string{"It runs as nobody.", "A key that no user has."},
	},
	{
		name: "is none", write: `"is not one", "is not a …", "does not have one"`,
		find:   `BE none\b`,
		except: `\b([Tt]here|[Hh]ere|default|defaults|[Vv]alue|type|mode) (\w+ )?BE none\b|BE there none`,
		old: []string{
			"It becomes a secret if it is none.", "One that has no node to run on is none that fails.",
			"The users of containers are none of the node's.", "a token that is none",
		},
		fine: []string{"if there is none", "The default is none.", "None of them fails."},
	},
	{
		name: "Who …", write: `"If you …", "To …", "A user who …"`,
		find: `START(Who) [^?]*$|START(Who) [^?]*?\. `,
		old:  []string{"Who wants to build it needs Go.", "It is so. Who has the secret has the cluster. The end."},
		fine: []string{"Who may read it?", "The user who reads it.", "Whoever reads it."},
	},
	{
		name: "so is what", write: `a subject and a verb: "The same is true of …", "… too"`,
		find: `\bso (is|are|does|do|has|have) (what|those|that|all|the one)\b|START(So) (is|are|does|do|has|have) |` +
			`\b[Ss]o it is (for|with|in)\b`,
		old: []string{
			"It is refused, and so is what is wrong with a file.",
			"So it is for what is no part of the suffix.", "So is a kind.",
		},
		fine: []string{"so that it is refused", "If it is a secret, so is the result.", "and so it is left out"},
	},
	{
		name: "is to be X-ed", write: `"must be …", "to …", "that … creates"`,
		find: `\bwhat (is|are) to be\b|\b(is|are) to be \w+(ed|en|ne|wn|de|lt|nt|ld|ft)\b`,
		old:  []string{"It finds what is to be compiled.", "files whose images are to be locked"},
		fine: []string{"It needs to be compiled.", "is to blame"},
	},
	{
		name: "is said", write: `"is reported", "is documented at", "the message says"`,
		find: `BE (not )?said\b`,
		old:  []string{"Nothing is said of containers.", "What is wrong with it is said there."},
		fine: []string{"The guide says it.", "that said"},
	},
	{
		name: "says so", write: `"reports it", "states this"`,
		find: `\b(say|says|said) so\b`,
		old:  []string{"The command says so.", "Of a mode that there is not is said so."},
		fine: []string{"It says something."},
	},
	{
		name: "stands", write: `"is in", "is at", "exists"`,
		find: `\b(stand|stands|stood) (in|at|on|there|here|where|alone|beside|before|after|above|below|under|nowhere|` +
			`last|first|elsewhere|among|between|as)\b`,
		except: `stands? in (the way|for)\b`,
		old:    []string{"What stands in the file wins.", "It stands beside them.", "where the value stands there"},
		fine: []string{
			"Nothing stands in the way.", "a stand-in for Azure", "It stands in for Azure.",
			"* stands for each element.", "The value is in the file.",
		},
	},
	{
		name: "without a word", write: `"silently", "without a warning"`,
		find: `\bwithout a word\b`,
		old:  []string{"The kubelet mounts privately, without a word."},
		fine: []string{"without a warning"},
	},
	{
		name: "has to do with", write: `"concerns", "is related to"`,
		find: `\bto do with\b`,
		old:  []string{"objects that have to do with each other"},
		fine: []string{"It has to do this with care."},
	},
	{
		name: "the one … the other", write: `repeat the nouns`,
		find: `\b(the|by the|to the) one(,| and| or| is| but)[^.]{0,50}\bthe other\b|does the one\b`,
		old:  []string{"by the one and by the other", "make lint does the one, make generate the other"},
		fine: []string{"the one that has the same place for the other system", "one or the other"},
	},
	{
		name: "is asked for", write: `"is requested", "is set", "is enabled"`,
		find: `BE (not |never )?asked for\b`,
		old:  []string{"It is read when it is asked for.", "if that is asked for"},
		fine: []string{"It asked for a token."},
	},
	{
		name: "as it is", write: `"unchanged", "as is"; "because it is an output"`,
		find: `\bas (it is|they are)([.,;:)]|$)|` +
			`, as (it|they) (may|can|cannot|must|needs?|has|have|(is|are) (a|an|the|not|outputs?|secrets?))\b`,
		except: `\b(stays?|leaves? \w+|left|as far|as long|as soon|as often) as (it is|they are)\b`,
		old: []string{
			"It may differ, as it is an output.", "It is left out, as it may be an output.",
			"Nodes are taken over as they are.",
		},
		fine: []string{"It stays as it is.", "as soon as it is known", "the pool as it is in Azure"},
	},
	{
		name: "not there", write: `"does not exist", "is missing", "is not set"`,
		find: `\bnot (yet )?there\b`, except: `not there (is|are)`,
		old:  []string{"a field that is not there", "The configuration is not yet there."},
		fine: []string{"whether or not there is one", "It does not exist."},
	},
	{
		name: "no other … than", write: `"only"`,
		find: `\bno other\b[^.,;]{1,30}\bthan\b|\bother \w+ than (those|that|the ones?) that\b`,
		old: []string{
			"It looks at no other nodes than those that an affinity names.", "other things than those that change",
		},
		fine: []string{"There is no other node.", "a user other than root"},
	},
	{
		name: "has what", write: `name the thing: "has the fields that", "lists", "contains"`,
		find: `\b(has|have|had|having) (all )?what\b|\blacks? of\b`,
		old:  []string{"It does not have what it needs.", "what it lacks of the features"},
		fine: []string{"It has whatever it needs.", "a cluster that lacks load balancers"},
	},
}, grammar...), words...)
