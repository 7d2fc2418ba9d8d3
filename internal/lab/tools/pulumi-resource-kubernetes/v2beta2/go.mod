module k8s.io/api/autoscaling/v2beta2

go 1.26
