package cluster

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/pager"
)

// List lists all objects of a kind, in pages.
func List[T any, L runtime.Object](
	ctx context.Context, list func(context.Context, metav1.ListOptions) (L, error),
) ([]*T, error) {
	var all []*T
	pages := pager.New(func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) { return list(ctx, o) })
	err := pages.EachListItem(ctx, metav1.ListOptions{}, func(o runtime.Object) error {
		all = append(all, any(o).(*T))
		return nil
	})
	return all, err
}
