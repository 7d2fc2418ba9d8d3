package azurenative

import (
	"context"

	p "github.com/pulumi/pulumi-go-provider"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

func (s *server) delete(ctx context.Context, r p.DeleteRequest) error {
	if _, err := lookUp(string(r.Urn.Type())); err != nil {
		return err
	}
	client, err := s.open()
	if err != nil {
		return err
	}
	ctx, cancel := s.request(ctx)
	defer cancel()
	if err := client.Delete(ctx, r.ID); !armclient.IsNotFound(err) {
		return failure(r.ID, err)
	}
	return nil
}
