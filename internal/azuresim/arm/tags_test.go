package arm

import (
	"fmt"
	"strings"
	"testing"
)

func TestLimitsOfTags(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	tags := func(number int, name, value string) Body {
		all := Body{name: value}
		for len(all) < number {
			all[fmt.Sprint("tag", len(all))] = ""
		}
		return Body{"location": "westeurope", "tags": all}
	}
	long := strings.Repeat("ä", 513)
	mustPut(t, cloud, groupID, tags(50, long[2:], long[:512]))
	for name, c := range map[string]struct {
		body Body
		want *Error
	}{
		"too many": {
			tags(51, "a", ""), bad400("InvalidTags", "", "Too many tags specified. Requested tag count - '51'. "+
				"Maximum number of tags allowed - '50'."),
		},
		"a long name": {
			tags(1, long, ""),
			bad400("InvalidTagName", "", "Tag key too large. Following tag name '"+long+"' exceeded "+
				"the maximum length. Maximum allowed length for tag name - '512' characters."),
		},
		"a long value": {
			tags(1, "a", long[:514]), bad400("InvalidTagValueLength", "", "Tag value too large. Following tag value '"+
				long[:514]+"' exceeded the maximum length. Maximum allowed length for tag value - '256' characters."),
		},
		"a reserved character": {
			tags(1, `a\b`, ""), bad400("InvalidTagNameCharacters", "", `The tag names 'a\b' have reserved characters `+
				`'<,>,%,&,\,?,/' or control characters.`),
		},
	} {
		t.Log(name)
		_, err := cloud.Put(t.Context(), groupID, c.body)
		wantError(t, err, c.want)
	}
	mustPut(t, cloud, groupID, tags(1, "a,b:c", "<"))
}
