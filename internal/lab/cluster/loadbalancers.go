package cluster

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// serviceLoadBalancer simulates the cloud's load balancer: a Service gets an
// address in 203.0.113.0/24, which is reserved for documentation, with the last
// number of its cluster IP.
const serviceLoadBalancer = `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata:
  name: service-load-balancer
spec:
  resourceRef:
    apiGroup: v1
    kind: Service
  selector:
    matchExpressions:
    - key: .spec.type
      operator: In
      values: [LoadBalancer]
    - key: .status.loadBalancer.ingress
      operator: DoesNotExist
  next:
    statusTemplate: |
      loadBalancer:
        ingress:
        - ip: {{ printf "203.0.113.%s" (splitList "." .spec.clusterIP | last) | Quote }}
`

// separator separates the documents in the configuration of KWOK.
const separator = "\n---\n"

// controllerConfig returns the file in which kwokctl has written the configuration of KWOK's
// controller.
func (c Cluster) controllerConfig() string { return filepath.Join(c.workdir(), "kwok.yaml") }

// setLoadBalancers adds the stage of load balancers to the configuration of KWOK's controller, or removes it. If it
// changes the configuration, it ends the controller: the next one reads it.
func (c Cluster) setLoadBalancers(ctx context.Context, labID string, want bool) error {
	content, err := os.ReadFile(c.controllerConfig())
	if err != nil {
		return err
	}
	documents := strings.Split(string(content), separator)
	if slices.ContainsFunc(documents, isServiceLoadBalancer) == want {
		return nil
	}
	documents = slices.DeleteFunc(documents, isServiceLoadBalancer)
	if want {
		documents = append(documents, serviceLoadBalancer)
	}
	if err := c.endController(ctx, labID); err != nil {
		return err
	}
	return os.WriteFile(c.controllerConfig(), []byte(strings.Join(documents, separator)), 0o600)
}

func isServiceLoadBalancer(document string) bool {
	var stage struct {
		Kind     string
		Metadata struct{ Name string }
	}
	err := yaml.Unmarshal([]byte(document), &stage)
	return err == nil && stage.Kind == "Stage" && stage.Metadata.Name == "service-load-balancer"
}
