package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// checkPorts looks at the ports of a lab.
func checkPorts(t *testing.T, l testLab) {
	t.Helper()
	checkListeners(t, l, "etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok-controller")
}

// checkListeners reads from /proc what the lab's processes listen on. The components
// must be among those that do.
func checkListeners(t *testing.T, l testLab, components ...string) {
	t.Helper()
	if _, err := os.Stat("/proc/net/tcp"); err != nil {
		t.Skip("there is no /proc/net/tcp here to see the ports in")
	}
	listening := map[string][]string{}
	for _, pid := range l.processes(t) {
		// The file comm has 15 characters only: pulumi-resource, whatever the plugin.
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil {
			continue
		}
		name, _, _ := strings.Cut(string(command), "\x00")
		component := filepath.Base(name)
		sockets := map[string]bool{}
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, link := range links {
			if target, err := os.Readlink(link); err == nil {
				sockets[target] = true
			}
		}
		for _, table := range []string{"tcp", "tcp6"} {
			content, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
			if err != nil {
				continue
			}
			for line := range strings.Lines(string(content)) {
				const local, state, inode, listen = 1, 3, 9, "0A"
				fields := strings.Fields(line)
				if len(fields) > inode && fields[state] == listen && sockets["socket:["+fields[inode]+"]"] {
					address, _, _ := strings.Cut(fields[local], ":")
					listening[component] = append(listening[component], address)
				}
			}
		}
	}
	loopback := map[string]bool{
		"0100007F":                         true, // 127.0.0.1
		"00000000000000000000000001000000": true, // ::1
		"0000000000000000FFFF00000100007F": true, // 127.0.0.1 on an IPv6 socket
	}
	for _, component := range components {
		if len(listening[component]) == 0 {
			t.Errorf("%s listens on no port: is this test blind? (%v)", component, listening)
		}
	}
	for component, addresses := range listening {
		for _, address := range addresses {
			if !loopback[address] {
				t.Errorf("%s listens on %s, which is not loopback", component, address)
			}
		}
	}
}
