package aks

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

// splitOptions says which options are for the component, and which for its
// [containerservice.ManagedCluster]: an import, and the aliases that have its type.
func splitOptions(opts []pulumi.ResourceOption) (own, ofCluster []pulumi.ResourceOption) {
	for _, opt := range opts {
		given, err := pulumi.NewResourceOptions(opt)
		switch {
		case err == nil && given.Import != nil:
			ofCluster = append(ofCluster, opt)
		case err == nil && len(given.Aliases) > 0:
			for _, alias := range given.Aliases {
				if alias.Type != pulumi.String("azure-native:containerservice:ManagedCluster") {
					own = append(own, pulumi.Aliases([]pulumi.Alias{alias}))
					continue
				}
				if alias.Parent == nil && alias.ParentURN == nil {
					alias.NoParent = pulumi.Bool(true)
				}
				ofCluster = append(ofCluster, pulumi.Aliases([]pulumi.Alias{alias}))
			}
		default:
			own = append(own, opt)
		}
	}
	return own, ofCluster
}
