// Package services has the rules about what is around pods: Services, autoscalers, budgets, network policies, and
// what other programs add to pods or require of them.
package services
