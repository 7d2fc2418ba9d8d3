package subject

// The rules that only report that pods run nowhere. Rules of other packages that report why silence them.
const (
	FitsNoPool                 = "MK303"
	DaemonSetWithoutToleration = "MK312"
)
