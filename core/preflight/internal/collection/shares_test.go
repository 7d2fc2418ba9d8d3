package collection

import "testing"

// TestSpellingsOfAttributesHaveAnOrder reads a volume with each attribute in three spellings many times: maps have
// none.
func TestSpellingsOfAttributesHaveAnOrder(t *testing.T) {
	t.Parallel()
	for range 100 {
		got, is := shareOf(map[string]any{"spec": map[string]any{"csi": map[string]any{
			"driver": "file.csi.azure.com",
			"volumeAttributes": map[string]any{
				"shareName": "b", "SHARENAME": "a", "sharename": "c", "storageaccount": "z", "storageAccount": "Y",
			},
		}}})
		if want := (share{"file.csi.azure.com", "y", "a"}); !is || got != want {
			t.Fatalf("got %v, %v, want %v", got, is, want)
		}
	}
}
