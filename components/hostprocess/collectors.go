package hostprocess

// collectors returns the collectors that the documentation of windows_exporter lists, of all of
// its releases (https://github.com/prometheus-community/windows_exporter/tree/master/docs):
// an older image has some that the default one has not, and a newer one more.
func collectors() []string {
	return []string{
		"ad", "adcs", "adfs", "bitlocker", "cache", "container", "cpu", "cpu_info", "cs", "csv", "dfsr", "dhcp",
		"diskdrive", "dmi",
		"dns", "exchange", "file", "filetime", "fsrmquota", "gpu", "hyperv", "idle", "iis", "license", "logical_disk",
		"logon",
		"memory", "mscluster", "mscluster_cluster", "mscluster_network", "mscluster_node", "mscluster_resource",
		"mscluster_resourcegroup", "msmq", "mssql", "net", "netframework", "netframework_clrexceptions",
		"netframework_clrinterop",
		"netframework_clrjit", "netframework_clrloading", "netframework_clrlocksandthreads", "netframework_clrmemory",
		"netframework_clrremoting", "netframework_clrsecurity", "nps", "os", "pagefile", "perfdata",
		"performancecounter",
		"physical_disk", "printer", "process", "registry", "remote_fx", "scheduled_task", "service", "service_info",
		"smb",
		"smbclient", "smtp", "storage_spaces", "system", "tcp", "teradici_pcoip", "terminal_services", "textfile",
		"thermalzone",
		"time", "udp", "update", "vmware", "vmware_blast", "wmi",
	}
}
