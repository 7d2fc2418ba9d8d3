package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab/azurenodes"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// Lab is one lab: a simulated cluster and the stack that is deployed to it. Each
// lab has its own directory.
type Lab struct {
	// Stacks is the directory of the stacks' configuration files. The default is the one in the checkout. Change it
	// only before the first call.
	Stacks string
	// Environment is added to the environment of Pulumi.
	Environment []string

	dir   string
	out   io.Writer
	tools *tools.Cache
	// paths maps the tools that were needed so far to their paths.
	paths map[string]string
	// azureCommands are the commands of the simulated Azure, nil until they are needed.
	azureCommands []tools.Command
}

// New returns the lab in the directory dir, for the checkout of the tool cache. It writes progress
// and tables to out.
func New(cache *tools.Cache, dir string, out io.Writer) (*Lab, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	// kwokctl would split the path at the comma, and not find the first part.
	if strings.Contains(dir, ",") {
		return nil, fmt.Errorf("the lab cannot be in %s: choose a directory without a comma in its path", dir)
	}
	return &Lab{
		Stacks: filepath.Join(cache.Root, "stacks"), dir: dir, out: out, tools: cache,
		paths: map[string]string{},
	}, nil
}

// Options are the choices of [Lab.Up].
type Options struct {
	// Stack is the stack to deploy. A lab has one stack until it is taken down.
	Stack string
	// Program is the language of the program that deploys it, as in [tools.Runtime]; empty for Go. The
	// programs share the stack's state: a program in another language can continue with a deployed stack.
	Program string
	// Port is the API server's; 0 chooses a free one. It is fixed for the life
	// of the lab.
	Port int
}

func (o Options) language() string { return cmp.Or(o.Program, tools.Go) }

// Up starts the cluster, deploys the stack with `pulumi up`, prints where the
// pods are, and draws a map of the cluster. If the stack does not create its cluster, Up creates the nodes of the
// stack's topology before the deployment. The nodes of a cluster in Azure are created with its pools. Up retains what
// already exists, so it can be called again after every change.
//
// The configuration is checked before anything is built or started. A cluster
// that cannot be created leaves nothing behind.
func (l *Lab) Up(ctx context.Context, o Options) error {
	return l.change(o, func(config stackconfig.Config) error {
		if err := l.start(ctx, o, config); err != nil {
			return err
		}
		stack, err := l.Deployment(ctx)
		if err != nil {
			return err
		}
		started := time.Now()
		l.progress("stack", "deploying %s with pulumi up", stack.Name)
		if err := stack.Up(ctx); err != nil {
			return err
		}
		l.progress("stack", "deployed in %s", since(started))
		err = l.waitForPods(ctx)
		if err == nil || errors.Is(err, ErrProblems) { // the map shows the problems
			err = errors.Join(err, l.drawMap(ctx))
		}
		return err
	})
}

// Start is [Lab.Up] without the deployment.
func (l *Lab) Start(ctx context.Context, o Options) error {
	return l.change(o, func(config stackconfig.Config) error { return l.start(ctx, o, config) })
}

func (l *Lab) start(ctx context.Context, o Options, config stackconfig.Config) error {
	paths, err := l.ensure(ctx, tools.OfLab())
	if err != nil {
		return err
	}
	if config.InAzure() {
		if _, err := l.commands(ctx); err != nil {
			return err
		}
	}
	started := time.Now()
	c := l.cluster()
	fresh := !c.Exists()
	l.progress("cluster", "starting the control plane")
	client, err := c.Start(ctx, cluster.Options{
		Tools: paths, LabID: l.ID(), Port: o.Port, LoadBalancers: HasLoadBalancers(config),
	})
	if err != nil {
		if fresh {
			err = errors.Join(err, l.empty())
		}
		return err
	}
	if err := os.WriteFile(l.stackNote(), []byte(o.Stack), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(l.programNote(), []byte(o.language()), 0o600); err != nil {
		return err
	}
	version, err := cluster.Version(client)
	if err != nil {
		return err
	}
	l.progress("cluster", "Kubernetes %s is ready after %s", version, since(started))
	l.progress("cluster", "export KUBECONFIG=%s", c.Kubeconfig())
	described := config.Topology.WithDefaults()
	nodes := cluster.Nodes(described, version)
	if config.InAzure() {
		if nodes, err = l.azureNodes(ctx, client, version); err != nil {
			return err
		}
	}
	if err := cluster.Register(ctx, client, nodes); err != nil {
		return err
	}
	if err := c.WaitReady(ctx, client, nodes); err != nil {
		return err
	}
	if config.InAzure() {
		l.progress("azure", "simulated in %s: nodes are created with the pools, %d exist", l.AzureDir(), len(nodes))
		return nil
	}
	l.progress("cluster", "%d simulated nodes: %s", len(nodes), pools(described))
	return nil
}

// ensure finds, fetches or builds tools, once each.
func (l *Lab) ensure(ctx context.Context, names []string) (map[string]string, error) {
	missing := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return l.paths[name] != "" })
	if len(missing) == 0 {
		return l.paths, nil
	}
	paths, err := l.tools.Ensure(ctx, missing...)
	if err != nil {
		return nil, err
	}
	maps.Copy(l.paths, paths)
	return l.paths, nil
}

// Down ends all processes of the lab and removes what it has created, whatever state it is
// in. It removes the lab's directory unless that has other content. Only the tool cache stays. A
// directory that is not a lab's is an error, and nothing in it is changed.
func (l *Lab) Down() error {
	if unused, err := l.unused(); err != nil || unused {
		if err == nil {
			l.progress("lab", "there is nothing in %s", l.dir)
		}
		return err
	}
	unlock, err := l.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := l.empty(); err != nil {
		return err
	}
	left, err := l.removeDir()
	if err != nil {
		return err
	}
	if left {
		l.progress(
			"lab", "removed the lab in %s and its processes, and left what is not the lab's; the tools stay in %s",
			l.dir, l.tools.Dir,
		)
		return nil
	}
	l.progress("lab", "removed %s and its processes; the tools stay in %s", l.dir, l.tools.Dir)
	return nil
}

// Clear removes the deployment of a running lab without its objects in the cluster: the states of Pulumi and of Azure,
// and the stack. After that, the lab can be started with any stack whose cluster has the same [cluster.Options].
func (l *Lab) Clear() error {
	unlock, err := l.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := processes.KillMarked(azurenodes.WorkerMark(l.AzureDir())); err != nil {
		return err
	}
	return remove(l.AzureDir(), l.pulumiDir(), l.stackNote(), l.programNote(), l.MapFile())
}

// Client connects to the lab's cluster.
func (l *Lab) Client() (*kubernetes.Clientset, error) { return l.cluster().Client() }

// Kubeconfig returns the path of the cluster's kubeconfig.
func (l *Lab) Kubeconfig() string { return l.cluster().Kubeconfig() }

// Deployment returns the stack of a lab that was started.
func (l *Lab) Deployment(ctx context.Context) (*deploy.Stack, error) {
	name := l.stack()
	if name == "" {
		return nil, cluster.ErrNone
	}
	config, err := deploy.ReadStack(l.Stacks, name)
	if err != nil {
		return nil, err
	}
	project, err := l.projectOf(config, name, l.language())
	if err != nil {
		return nil, err
	}
	stack, err := l.Project(ctx, project, name, deploy.StackFile(l.Stacks, name))
	if err != nil {
		return nil, err
	}
	if config.InAzure() {
		err = stack.EnsureSecret(ctx, stackconfig.KeyWindowsPassword, newPassword)
	}
	return stack, err
}

// Project returns a stack of any Pulumi project, to deploy into the lab's cluster. The parameter config is its
// configuration file, or "" if it has none. A program in Go belongs to the checkout and is built; a program in
// another language gets the plugin with the components. Projects with the same name share the stack, whatever
// their language.
func (l *Lab) Project(ctx context.Context, dir, stack, config string) (*deploy.Stack, error) {
	project, err := deploy.ReadProject(dir)
	if err != nil {
		return nil, err
	}
	paths, err := l.ensure(ctx, project.Tools())
	if err != nil {
		return nil, err
	}
	azure, err := l.inAzure(ctx)
	if err != nil {
		return nil, err
	}
	pulumi := filepath.Join(l.pulumiDir(), project.Name+"-"+stack)
	var program string
	if project.InGo() {
		program, err = l.tools.Executable(ctx, project.Program())
	} else {
		program, project, err = l.otherLanguage(ctx, project, pulumi)
	}
	if err != nil {
		return nil, err
	}
	return &deploy.Stack{
		Name: stack, Project: project, Config: config, Program: program, Dir: pulumi, LabID: l.ID(),
		Kubeconfig: l.Kubeconfig(), Azure: azure, Tools: paths, Version: l.tools.Pinned, Out: l.out,
		Background: l.cluster().KeepAwake, Environment: slices.Clone(l.Environment),
	}, nil
}

func (l *Lab) cluster() cluster.Cluster { return cluster.Cluster{Dir: filepath.Join(l.dir, "cluster")} }

// progress prints a line, after the name of the part that it is about.
func (l *Lab) progress(part, format string, args ...any) {
	fmt.Fprintf(l.out, "%-8s "+format+"\n", append([]any{part}, args...)...)
}

func since(started time.Time) time.Duration { return time.Since(started).Round(100 * time.Millisecond) }

func pools(t topology.Defaulted) string {
	var parts []string
	for _, pool := range t.Pools {
		parts = append(parts, fmt.Sprintf("%d %s", pool.Count, pool.Platform))
	}
	return strings.Join(parts, ", ")
}
