package provider

import (
	"context"
	"errors"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
)

// errShown is the error that the engine gets if the actual error is already shown.
var errShown = errors.New("see its errors")

// show logs the error of a component at its resource: the engine would show it at the stack, because it does not know
// the resource yet. If one component fails, the engine cancels the others: their errors are not logged.
func show(ctx context.Context, req *pulumirpc.ConstructRequest, engine *grpc.ClientConn, err error) error {
	if ctx.Err() != nil {
		return err
	}
	_, failed := pulumirpc.NewEngineClient(engine).Log(ctx, &pulumirpc.LogRequest{
		// Pulumi's SDK turns the error into a gRPC status, whose text begins with its code.
		Severity: pulumirpc.LogSeverity_ERROR, Message: status.Convert(err).Message(), Urn: string(urnOf(req)),
	})
	if failed != nil {
		return err
	}
	return errShown
}

// urnOf returns the URN that the engine gives to the component.
func urnOf(req *pulumirpc.ConstructRequest) urn.URN {
	var above tokens.Type
	if parent := urn.URN(req.GetParent()); parent != "" && parent.QualifiedType() != "pulumi:pulumi:Stack" {
		above = parent.QualifiedType()
	}
	return urn.New(tokens.QName(req.GetStack()), tokens.PackageName(req.GetProject()), above,
		tokens.Type(req.GetType()), req.GetName())
}
