package aks

import "time"

// today is the day on which the arguments are checked: what AKS supports changes with it.
var today = time.Now
