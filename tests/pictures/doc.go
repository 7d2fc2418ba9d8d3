// Package pictures has the tests that draw the pictures of the documentation in docs/pictures: a mixed
// cluster, the flow of a finding, and the pod networks. The labels come from the code that they
// describe. tests/architecture draws the picture of the architecture from its rules.
package pictures
