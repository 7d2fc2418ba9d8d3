// Package kubeadm creates self-managed clusters with Linux and Windows nodes on virtual machines in Azure: a Linux
// control plane, and pools of machines that join with kubeadm.
//
// It has two components:
//
//   - [Cluster], created by [NewCluster]: a cluster with its network and its pools.
//   - [NodePool], created by [NewNodePool]: a pool that joins a cluster which another program or tool created.
//
// Both check their arguments before they send anything to Azure, and report all errors at once: docs/rules/kubeadm.md
// lists the rules. Package [github.com/mixedkube/mixedkube/machines/bootstrap] documents what a machine needs, and
// the files that it gets.
//
// # Where the code is
//
// This package registers resources. Names, addresses, flows and rules, which need neither Pulumi nor Azure, belong in
// package plan, and files of machines in package bootstrap.
//
//	args.go, check.go                            arguments and their checks
//	cluster.go, construction.go, nodepool.go     the two components
//	virtualnetwork.go, securitygroup.go,
//	  balancer.go, services.go                   the network
//	machine*.go, pool.go, files.go, place.go     machines, and the files that they get
//	keys.go                                      keys, and their replacement
//	token.go, hook.go, ready.go, drain.go        hooks: how machines join and leave
//	pki/                                         derives keys and certificates from secrets
//	plan/                                        rules and decisions
//	internal/                                    the requests to the API server: tokens, cordon and drain
//	kubeadmtest/                                 stands in for Azure in unit tests
//
// # Keys
//
// The program creates all keys from one secret: the certificate authorities of the cluster, of etcd and of the front
// proxy, the key of the service accounts, the key that encrypts Secrets in etcd, the bootstrap tokens, and the
// certificate of the kubeconfig. Each run of the program has the keys again, and never reads one from a machine
// (docs/decisions/0010-keys-from-one-secret.md). Anyone who has the secret controls the cluster. [Keys] documents where
// the secret comes from and how to replace keys, and docs/leaked-keys.md what to do if one has leaked.
//
// The state has, encrypted: the customData of the machines, the settings of their extensions with all secrets that a
// machine gets, and the kubeconfig.
//
// # How machines join
//
// A Linux machine gets its files from cloud-init and the secret ones from the extension CustomScript, which waits
// until the machine is a node. A Windows machine only stores its customData. A CustomScriptExtension runs it together
// with the secrets: it installs features of Windows, restarts, continues by itself, and takes tens of minutes.
//
// A machine finds the cluster by a file with the certificate of its authority, which is public. Other machines need
// [Cluster.CACertificate]: the hash alone is not enough, because anonymous users cannot read the ConfigMap
// cluster-info.
//
// Each machine has a bootstrap token of its own, derived from the secret, the machine's name and Azure's ID of this
// creation of the machine. A token is neither a resource nor in the state. Hooks of Pulumi create its Secret in the
// cluster just before the machine gets the token, valid for two hours, and remove it when the machine has joined or the
// update of its resource has failed. If a token cannot be removed, the program warns, and the token expires.
//
// A machine that has joined gets no further token, because root on it knows the token, and any node could be registered
// with it. Whether a machine has joined is what the state says, and never what a node says about itself: the output
// joinedNodes of the cluster has the UID of the first node of each machine. If the node has another UID later, the
// update fails: something has deleted the node and registered it again. Create such a machine again. To know this, the
// program lets the engine read the state of its own stack.
//
// So the program itself calls the API server, with the certificate of [Cluster.Kubeconfig] and through the proxy in
// HTTPS_PROXY: run `pulumi up` where it can reach the API server. Pulumi before 3.217.0 is an error before anything is
// created. Pulumi before 3.244.0 may leave the token of a machine that did not join until the token expires.
//
// When a machine has joined, a Job, whose pod runs only on the new node, waits up to an hour until the node is Ready.
// [Cluster.Provider] is ready when all nodes are. The node is a resource of the program, and is deleted with its
// machine.
//
// # Secrets on machines
//
// A machine gets its secrets in the protectedSettings of an extension. Azure encrypts those for the machine and does
// not show them in its API. In addition, they are encrypted with a key of the machine, which is in its customData
// ([bootstrap.PayloadKey]), because the WireServer at 168.63.129.16 returns the settings, together with the key that
// decrypts them, to every request from the machine's address
// (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16). Packets of pods have that
// address too, so the nodes keep pods from the WireServer: see "What pods can reach". Neither the WireServer nor the
// metadata service returns customData (https://learn.microsoft.com/azure/virtual-machines/custom-data).
//
// These have both the settings and the key, and so the secrets:
//
//   - root on the machine, and anyone who has its disk or a copy of it. cloud-init and Azure's agent store customData
//     below /var/lib/cloud and /var/lib/waagent, and the agent stores the settings. On Windows they are in
//     C:\AzureData, C:\WindowsAzure and C:\Packages. As soon as the script runs, only the system and the
//     administrators can read C:\AzureData\CustomData.bin;
//   - a pod that mounts these directories, or that is privileged. A pod with the host's network, or a host-process
//     container as LocalService, has the settings but not the key, unless it can also read files of root or of the
//     administrators;
//   - anyone who reads the state of the stack with its passphrase.
//
// The secrets of a machine of the control plane are the private keys of the cluster, which kubeadm needs on its disk
// anyway. The secret of another machine is a token, which is removed when the machine has joined. When a Linux machine
// is a node, the file with the key and the extension's copy of the script are removed.
//
// On Windows the settings are a command line, because Azure accepts nothing else there. If a policy of the machine
// records the command lines of processes, the record (event 4688) has the encrypted text. If it records the blocks of
// scripts (event 4104), the record also has the key, and so the token, which is valid for at most two hours.
//
// # The network
//
// The machines are in a virtual network with two subnets, one for the control plane and one for the nodes. FLOWS.md
// lists each flow that their security groups allow, with its reason. They deny everything else, even from inside the
// network. No port is open for SSH, RDP or WinRM. Packets leave through a NAT gateway.
//
// In front of the API servers are a load balancer inside the network, whose address the nodes use, and one with a
// public address, unless [APIServer] is private. Everyone can connect to the public one unless [APIServer] has ranges;
// the log reports it (MK668). The address inside stays the same when the control plane grows from one machine to three.
//
// All kinds of networks of package [github.com/mixedkube/mixedkube/machines/bootstrap/network] work, except
// calico-bgp. For upstream-l3 and host-gateway an Azure route table has a route to each machine, because Azure's
// network routes a packet by its destination and not by the neighbor that a machine sends it to. The component
// installs flannel-vxlan, and kube-proxy for Windows if the network needs it. It installs Calico and Antrea from
// [ClusterArgs.NetworkManifests]; without them, install these with [Cluster.NetworkProvider]: until then no node becomes
// Ready.
//
// There is no cloud controller, so Services of the type LoadBalancer get no address. Use node ports, and
// [ClusterArgs.ServicePorts] for a load balancer in front of them. You also install Metrics Server, the webhook for
// gMSA, and the drivers of volumes. [Cluster.Topology] lists these as missing features, so that a preview finds a
// workload that needs one; use its method With for features that you have installed. Zones spread the machines of a
// pool, but nothing labels their nodes: for that, declare a pool for each zone with the label
// topology.kubernetes.io/zone.
//
// # What pods can reach
//
// The component keeps pods from the ports 80 and 32526 of the WireServer, 168.63.129.16, which would give a pod the
// secrets of its machine. It also keeps them from the instance metadata service, 169.254.169.254, which returns tokens
// of the machine's identity, unless [ClusterArgs.PodsReachInstanceMetadata] is set. Azure's DNS, port 53 of
// 168.63.129.16, stays open. BlockedEgress of the network adds destinations. A security group cannot block pods,
// because it cannot distinguish their packets from those of their machine.
//
//   - On Linux machines rules of nftables block pods, in every network.
//   - On Windows machines policies of HNS in the CNI configuration do. They have never run on Windows;
//     WithoutWindowsACLs of [ClusterArgs.Network] leaves them out.
//   - With Calico and Antrea, apply the result of Network.EgressPolicies of the [Cluster] as soon as they run: until
//     then nothing blocks pods on Windows machines.
//   - Pods with hostNetwork, privileged pods and host-process containers can reach both, like the machine itself. Pod
//     Security admission refuses all three in its levels baseline and restricted.
//
// Package [github.com/mixedkube/mixedkube/machines/bootstrap/network] lists what else is not covered. A machine has
// the rules from its creation. A machine that an older release of this library created has none, and the argument
// changes nothing on it: give the pool another name, so that it gets new machines.
//
// # What changes in place
//
// A machine never changes. The names of the machines of a pool have a hash of its size, platform, image, disk, zones,
// labels, taints, kubelet options, security, patch settings and version of Kubernetes. If one of them changes, the pool
// gets other machines, and the old ones are deleted when all new ones are Ready. Two versions of a pool have the same
// hash by chance once in 46656 times; Azure then refuses the change, or it has no effect: give the pool another name.
// docs/patching.md describes how to patch machines this way.
//
// When all new nodes are Ready and before anything is deleted, the old nodes are cordoned and drained, one after the
// other, as by `kubectl drain --ignore-daemonsets --delete-emptydir-data --force`: those that are in the state and not
// in the program. PodDisruptionBudgets are respected. If a node still has pods after 30 minutes, or after the
// DrainTimeoutMinutes of the pool's Upgrade, the update stops with an error that names them, and deletes nothing. The
// next update continues. If you revert the change instead, `kubectl uncordon` the nodes. `pulumi destroy`, `--replace`
// and [NewNodePool] drain nothing: run `kubectl drain` first.
//
// Passwords, keys of administrators, images named latest, tokens and scripts of existing machines do not change with
// the program. If the bootstrap of a machine has failed permanently, create the machine again: run `pulumi up --refresh
// --replace URN` with the URN of the virtual machine.
//
// Pulumi refuses to delete or replace the machines of the control plane unless [ClusterArgs.Unprotected] is set. Their
// size changes in place, with a restart. Their image and their security do not change with the program. To change
// their version, run `kubeadm upgrade` on them
// (https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-upgrade/), and then raise
// [ClusterArgs.KubernetesVersion]: the machines of the pools follow. If you raise it before, new machines cannot join,
// and the old ones stay.
//
// `pulumi destroy` first removes the objects of the program in the cluster. If the API server no longer answers, set
// PULUMI_K8S_DELETE_UNREACHABLE=true.
//
// If size and image support it, machines start with Trusted Launch: Secure Boot and a virtual TPM. Encryption at host
// is an option, because you have to register the subscription for it first: see [Security]. No machine has an
// identity in Azure or a public address.
package kubeadm
