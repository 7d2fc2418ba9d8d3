package e2e

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// checkPorts checks the ports of a lab.
func checkPorts(t *testing.T, l testLab) {
	t.Helper()
	listening := checkListeners(t, l, "etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler",
		"kwok-controller")
	// One port is for the API server, and one for other members.
	if got := len(listening["etcd"]); got != 2 {
		t.Errorf("etcd listens on %v, want two ports", listening["etcd"])
	}
	for _, port := range listening["etcd"] {
		checkEtcd(t, port)
	}
}

// checkEtcd sends requests to a port of etcd as another user of this machine. etcd must not answer, because it stores
// all deployed objects.
func checkEtcd(t *testing.T, port uint64) {
	t.Helper()
	client := &http.Client{
		Timeout: time.Minute,
		Transport: &http.Transport{
			DisableKeepAlives: true,
			TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, // accept any server
		},
	}
	for scheme, want := range map[string]string{"http": "EOF", "https": "remote error: tls: certificate required"} {
		answer, err := client.Get(fmt.Sprintf("%s://127.0.0.1:%d/version", scheme, port))
		if err == nil {
			_ = answer.Body.Close()
			t.Errorf("etcd answers %s on port %d: %s", scheme, port, answer.Status)
		} else if !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s to port %d: the error is %v, want %s", scheme, port, err, want)
		}
	}
}

// checkListeners reads from /proc the addresses on which the lab's processes listen, and returns the ports of each
// process. The components must be listening.
func checkListeners(t *testing.T, l testLab, components ...string) (ports map[string][]uint64) {
	t.Helper()
	if _, err := os.Stat("/proc/net/tcp"); err != nil {
		t.Skip("needs /proc/net/tcp: run it on Linux")
	}
	listening := map[string][]string{}
	ports = map[string][]uint64{}
	for _, pid := range l.processes(t) {
		// The file comm has only 15 characters: pulumi-resource for every plugin.
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
					address, port, _ := strings.Cut(fields[local], ":")
					number, err := strconv.ParseUint(port, 16, 16)
					check(t, err)
					listening[component] = append(listening[component], address)
					ports[component] = append(ports[component], number)
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
			t.Errorf("%s listens on no port: does this test find the ports? (%v)", component, listening)
		}
	}
	for component, addresses := range listening {
		for _, address := range addresses {
			if !loopback[address] {
				t.Errorf("%s listens on %s, which is not loopback", component, address)
			}
		}
	}
	return ports
}
