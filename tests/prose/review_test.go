package prose_test

// review are the oddest sentences that a reviewer found in this repository.
var review = []string{
	"Of a mode that there is not is said so.",
	"poolNames looks for options of pools that there are not.",
	"So it is for what is no part of the suffix as it may be an output: a subnet, and the OsSKU of a Windows pool.",
	"Of a pool with autoscaling the number of nodes is ignored after the beginning.",
	"It becomes a secret if it is none.",
	"It fails what it is given to where it turns out to be refused.",
	"One that has no node to run on is none that fails.",
	"Nodes makes the nodes those of the pools, all of them, of all clusters",
	"Gone hears of the nodes with these names that their machines are gone … nil hears of none.",
	"Who the simulated Azure takes everybody for.",
	"The users of containers are none of the node's, and other accounts of a domain have no password here " +
		"to log on with.",
	"an even number bears no more failures than the odd one below",
	"is no name of a collector",
	"Who wants to build …",
	"Who does not use Pulumi gets …",
	"What Windows does otherwise (identity, permissions …)",
}
