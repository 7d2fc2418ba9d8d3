package input

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

// Texts returns the texts of a list for checks of plain values, with the text unknown instead of each
// one that is not known yet. It returns false if there is one: the list must then be checked again when
// it is known.
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
