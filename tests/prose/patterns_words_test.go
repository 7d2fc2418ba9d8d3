package prose_test

// words are those that the documentation of Kubernetes and Go does not use, or not in this sense.
var words = []pattern{
	{
		name: "British spelling", write: `the American one, as in Kubernetes' documentation: "color", "license"`,
		find: `\b\w*(colour|Colour|eighbour|ehaviour|favour|Favour|icence|entre[sd]?\b|atalogue|rtefact|` +
			`ancelled|ancelling|labelled\b|odelled|ravelled|` +
			`ganis(e|ing|ation)|cognis(e|ing)|rialis(e|ing|ation)|malis(e|ing|ation))`,
		old: []string{
			"Each platform has a colour.", "an unknown licence type", "The request was cancelled.",
			"The serialised object is normalised.",
		},
		fine: []string{
			"Each platform has a color.", "an unknown license type",
			"The request was canceled, before its cancellation.", "the attribute aria-labelledby",
			"The initial isolation stays.",
		},
	},
	{
		name: "everybody", write: `"everyone", "all users"`,
		find: `\b[Ee]verybody\b`, except: `takes? everybody for`,
		old:  []string{"Everybody can read the file.", "a password that everybody knows"},
		fine: []string{"Everyone can read the file."},
	},
	{
		name: "says whether", write: `"reports whether" (a function), "is true if" (a field)`,
		find: `\b(say|says|said|saying) whether\b`,
		old:  []string{"isLinux says whether the pool runs Linux."},
		fine: []string{"isLinux reports whether the pool runs Linux."},
	},
	{
		name: "looks whether", write: `"checks whether", "checks that"`,
		find: `\b(look|looks|looked|sees|asks) whether\b`,
		old:  []string{"checkMap looks whether the map has all pools."},
		fine: []string{"It checks whether the map has all pools.", "It looks for the map."},
	},
	{
		name: "goes on", write: `"continues"`,
		find: `\b(go|goes|went|gone) on\b`, except: `\bgo on (a|an|the|each|every|its|Linux|Windows|nodes?)\b`,
		old:  []string{"The script goes on after most errors.", "A stack can be gone on with."},
		fine: []string{"The script continues.", "Pods may go on Linux nodes."},
	},
	{
		name: "goes by", write: `"depends on", "uses", "is deleted with"`,
		find: `\b(go|goes|went) (by|with) (it|them|the|a|an|its|their|what|access|names?|that|this|those)\b`,
		old:  []string{"The disk goes with the machine.", "Access goes by the list.", "Others go by its name."},
		fine: []string{"It uses the name."},
	},
	{
		name: "takes for", write: `"treats as", "assumes to be"`,
		find: `\b(take|takes|took|taken) ((it|them|pods|charts|numbers|these|those|this|that) )?for ` +
			`(a|an|granted|Linux|Windows|what|ordinary|one|changeable|quantities|everybody|\w+ able)\b|` +
			`\btakes? (it|them|everybody|pods) for\b`,
		except: `takes (a|\d+)`,
		old: []string{
			"PlaceOnly takes it for Linux.", "a request that takes them for changeable",
			"what is taken for a secret",
		},
		fine: []string{"It takes a minute for a node.", "It treats them as Linux pods."},
	},
	{
		name: "hears", write: `"is told", "receives", "is notified"`,
		find: `\b(hear|hears|heard)\b`,
		old:  []string{"Gone hears of the nodes that are deleted."},
		fine: []string{"It is called with the names of the nodes."},
	},
	{
		name: "whoever", write: `"anyone who", "the user who", "a program that"`,
		find: `\b([Ww]hoever|[Ww]homever)\b`,
		old:  []string{"Whoever reads it has the key."},
		fine: []string{"Anyone who reads it has the key."},
	},
	{
		name: "is gone", write: `"was deleted", "no longer exists"`,
		find:   `\b(is|are|was|were|has|have|had|be) gone\b`,
		except: `gone (through|on|by|up|down|wrong|back|to|with|over|out)\b`,
		old:    []string{"a machine that is gone", "Its nodes have gone."},
		fine:   []string{"The machine was deleted.", "It has gone through."},
	},
	{
		name: "asks", write: `"calls", "queries", "sends a request to", "looks up in"`,
		find: `\b[Aa]sk(s|ed|ing)? (the (API server|engine|cloud|cluster|registry|provider|plugin|kubelet|guard)|` +
			`Azure|Kubernetes|Pulumi|GitHub|registries|nothing|no|once|again|anew)\b`,
		old:  []string{"kubeconfig asks Azure for credentials.", "It asks the API server once."},
		fine: []string{"It asks the user for a name.", "a pod that requests memory"},
	},
	{
		name: "beside", write: `"in addition to", "besides", "with", "next to"`,
		find: `\b[Bb]eside (what|that|those|the ones?|an? error|the others?|which|others|one)\b`,
		old:  []string{"Beside an error it has the documents.", "an account beside one that is an output"},
		fine: []string{"the file beside main.go"},
	},
	{
		name: "anew", write: `"again", "from scratch"`,
		find: `\b(anew|once more|all the same|none the less)\b`, except: `(are|is) all the same\b`,
		old:  []string{"The tag is written anew.", "It is started once more.", "They are shown all the same."},
		fine: []string{"The tag is written again.", "The keys are all the same."},
	},
	{
		name: "hands on", write: `"passes", "forwards"`,
		find: `\bhand(s|ed|ing)? ((it|them|this|that|these) )?on\b`,
		old:  []string{"Pulumi hands on the error.", "Programs cannot hand it on."},
		fine: []string{"Pulumi passes the error.", "on the other hand"},
	},
	{
		name: "bears", write: `"tolerates", "has"`,
		find: `\b(bear|bears|bearing)\b`, except: `\b([Tt]he bear|bearing in mind|bear in mind)\b`,
		old:  []string{"an even number bears no more failures than the odd one below"},
		fine: []string{"an even number tolerates no more failures", "Authorization: Bearer"},
	},
	{
		name: "befalls", write: `"affects", "hits"`,
		find: `\b(befall|befalls|befallen|befell|mend|mends|mended|mending)\b`,
		old:  []string{"the requests that a fault befalls", "It is mended in Kubernetes 1.35."},
		fine: []string{"It is fixed in Kubernetes 1.35."},
	},
	{
		name: "is drawn", write: `"is generated (at random)"`,
		find: `\b(secrets?|passwords?|keys?|tokens?|one|it|they|that|which|each|ones) (is|are|was|were|be) drawn\b|` +
			`\bdrawn (at random|once|anew|again|or given)\b|\bdraws? (random|a secret|the secret|one|each|no random)\b`,
		old: []string{
			"By default each is drawn at random.", "a secret that is drawn once", "It draws no random numbers.",
		},
		fine: []string{"The map is drawn as SVG.", "It is generated at random."},
	},
	{
		name: "shall", write: `"must", "should", or the present tense`,
		find: `\b[Ss]hall\b`,
		old:  []string{"rules whose findings shall not stop the program"},
		fine: []string{"a shallow copy"},
	},
	{
		name: "that is there", write: `"existing", "that exists", "is present"`,
		find:   `\b(that|which|it|they|what|ones?|those) BE (already )?there\b`,
		except: `\bthere (already )?(a|an|any|for|something|nothing|one)\b|there to `,
		old:    []string{"Machines that are there keep their keys.", "unless it is there"},
		fine:   []string{"existing machines keep their keys", "Is there a node?", "if there is a node"},
	},
	{
		name: "that goes", write: `"that is deleted", "when … is deleted"`,
		find: `\b(that|which|it|they|[Mm]achines?|[Nn]odes?|[Pp]ools?|[Cc]lusters?|objects?|pods?|ones?) ` +
			`(goes|go)[.,;:)]( |$)`,
		old:  []string{"a machine that goes, and its disk", "before the old ones go."},
		fine: []string{"The pod goes to a Windows node.", "as the name goes"},
	},
	{
		name: "in the place of", write: `"instead of", "replaces"`,
		find: `\bin the place of\b`,
		old:  []string{"a secret in the place of the one that was drawn"},
		fine: []string{"The pool is updated in place.", "a name in place of an ID"},
	},
	{
		name: "does without", write: `"does not need", "works without"`,
		find: `\b(do|does|did) without\b`,
		old:  []string{"A system pool cannot do without nodes."},
		fine: []string{"It works without nodes."},
	},
	{
		name: "does not tell", write: `"does not show", "does not distinguish", "if nothing indicates"`,
		find:   `\bnothing tells\b|\b(does|do|can) not tell\b|\bcannot tell\b`,
		except: `not tell (you|us|the user|users)\b`,
		old:    []string{"what nothing tells", "the size does not tell"},
		fine:   []string{"It tells the versions apart.", "It does not tell you why."},
	},
	{
		name: "plays", write: `"simulates", "acts as"`,
		find: `\b(play|plays|played|playing)\b`, except: `(Google|Xbox|[Rr]ole|Docker) [Pp]lay`,
		old:  []string{"KWOK plays the kubelet."},
		fine: []string{"KWOK simulates the kubelet.", "displays", "the playbook"},
	},
	{
		name: "speaks of", write: `"mentions", "describes", "is about"`,
		find: `\b(speak|speaks|spoke|spoken|think|thinks) (of|in platforms)\b`,
		old:  []string{"if no rule speaks of it"},
		fine: []string{"It speaks Pulumi's protocol."},
	},
}
