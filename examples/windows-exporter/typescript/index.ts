// Serves the metrics of each Windows node on its port 9182, for Prometheus.
import * as mixedkube from "@mixedkube/mixedkube";

new mixedkube.hostprocess.WindowsExporter("windows-exporter", {
    // The defaults and the connections of each node. serviceMonitor: true lets the Prometheus operator find all.
    collectors: ["[defaults]", "container", "tcp"],
});

// Components do not return their resources: this is the name of the Service in Kubernetes.
export const service = "windows-exporter";
