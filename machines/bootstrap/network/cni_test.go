package network_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const linuxConfig = `{
  "cniVersion": "1.0.0",
  "name": "mixedkube",
  "plugins": [
    {
      "type": "bridge",
      "bridge": "cni0",
      "isGateway": true,
      "hairpinMode": true,
      "ipam": {
        "type": "host-local",
        "ranges": [
          [
            {
              "subnet": "10.244.4.0/24",
              "rangeStart": "10.244.4.2",
              "rangeEnd": "10.244.4.254",
              "gateway": "10.244.4.1"
            }
          ]
        ],
        "routes": [
          {
            "dst": "0.0.0.0/0"
          }
        ]
      }
    },
    {
      "type": "portmap",
      "capabilities": {
        "portMappings": true
      }
    }
  ]
}
`

const windowsConfig = `{
  "cniVersion": "1.0.0",
  "name": "l2bridge",
  "plugins": [
    {
      "type": "win-bridge",
      "apiVersion": 2,
      "capabilities": {
        "portMappings": true,
        "dns": true
      },
      "ipam": {
        "type": "host-local",
        "ranges": [
          [
            {
              "subnet": "10.244.5.0/24",
              "rangeStart": "10.244.5.3",
              "rangeEnd": "10.244.5.254",
              "gateway": "10.244.5.2"
            }
          ]
        ]
      },
      "dns": {
        "nameservers": [
          "10.96.0.10"
        ]
      },
      "policies": [
        {
          "name": "EndpointPolicy",
          "value": {
            "Type": "OutBoundNAT",
            "Settings": {
              "Exceptions": [
                "10.96.0.0/12",
                "10.244.0.0/16",
                "10.0.0.0/24"
              ]
            }
          }
        },
        {
          "name": "EndpointPolicy",
          "value": {
            "Type": "SDNRoute",
            "Settings": {
              "DestinationPrefix": "10.96.0.0/12",
              "NeedEncap": true
            }
          }
        },
        {
          "name": "EndpointPolicy",
          "value": {
            "Type": "SDNRoute",
            "Settings": {
              "DestinationPrefix": "10.0.0.5/32",
              "NeedEncap": true
            }
          }
        }
      ]
    }
  ]
}
`

const flannelLinuxConfig = `{
  "cniVersion": "1.0.0",
  "name": "cbr0",
  "plugins": [
    {
      "type": "flannel",
      "delegate": {
        "hairpinMode": true,
        "isDefaultGateway": true
      }
    },
    {
      "type": "portmap",
      "capabilities": {
        "portMappings": true
      }
    }
  ]
}
`

const flannelWindowsConfig = `{
  "cniVersion": "1.0.0",
  "name": "flannel.4096",
  "plugins": [
    {
      "type": "flannel",
      "capabilities": {
        "dns": true
      },
      "delegate": {
        "type": "win-overlay",
        "apiVersion": 2,
        "dns": {
          "nameservers": [
            "10.96.0.10"
          ]
        },
        "policies": [
          {
            "name": "EndpointPolicy",
            "value": {
              "Type": "OutBoundNAT",
              "Settings": {
                "Exceptions": [
                  "10.96.0.0/12",
                  "10.244.0.0/16"
                ]
              }
            }
          },
          {
            "name": "EndpointPolicy",
            "value": {
              "Type": "SDNRoute",
              "Settings": {
                "DestinationPrefix": "10.96.0.0/12",
                "NeedEncap": true
              }
            }
          }
        ]
      }
    }
  ]
}
`

func TestCNIConfig(t *testing.T) {
	t.Parallel()
	tests := []struct {
		kind               network.Kind
		fileName           string
		onLinux, onWindows string
	}{
		{network.UpstreamL3, "10-mixedkube.conflist", linuxConfig, windowsConfig},
		{network.HostGateway, "10-mixedkube.conflist", linuxConfig, windowsConfig},
		{network.FlannelVXLAN, "10-flannel.conflist", flannelLinuxConfig, flannelWindowsConfig},
		{network.CalicoVXLAN, "", "", ""},
		{network.CalicoBGP, "", "", ""},
		{network.Antrea, "", "", ""},
	}
	for _, tt := range tests {
		t.Run(string(tt.kind), func(t *testing.T) {
			t.Parallel()
			n := good(tt.kind, nil)
			nodes := plan(t, n, someNodes(nil)).Nodes
			want(t, n, nodes[0], tt.fileName, tt.onLinux)
			want(t, n, nodes[1], tt.fileName, tt.onWindows)
		})
	}
	t.Run("a node that is not planned", func(t *testing.T) {
		t.Parallel()
		want(t, good(network.UpstreamL3, nil), network.NodePlan{Node: someNodes(nil)[0]}, "", "")
	})
}

func want(t *testing.T, n network.Network, p network.NodePlan, fileName, content string) {
	t.Helper()
	gotName, got, ok := n.WithDefaults().CNIConfig(p)
	if gotName != fileName || ok != (fileName != "") {
		t.Errorf("%s: file %q, %v, want %q", p.Name, gotName, ok, fileName)
	}
	wantText(t, got, content)
}
