package input

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

// Texts are the texts of a list for checks of plain values, with another one in the place of each
// that is not known yet. False says that there is one, and that the list has to be looked at again
// when it is known.
func Texts(in pulumi.StringArrayInput, unknown string) (texts []string, known bool) {
	if Missing(in) {
		return nil, true
	}
	list, isList := Tree(in).([]any)
	if !isList {
		return []string{unknown}, false
	}
	known = true
	for _, element := range list {
		text, plain := element.(string)
		if !plain {
			text, known = unknown, false
		}
		texts = append(texts, text)
	}
	return texts, known
}
