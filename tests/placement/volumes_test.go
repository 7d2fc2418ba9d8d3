package placement

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

// disk is a claim of a pod, with the volumes for it.
type disk struct {
	claim *corev1.PersistentVolumeClaim
	// volumes is one volume that the claim is bound to, or the volumes from which the scheduler chooses.
	volumes []*corev1.PersistentVolume
	// open is true if the scheduler chooses the volume.
	open bool
}

// objects returns the claim and its volumes.
func (d disk) objects() []any {
	objects := []any{d.claim}
	for _, v := range d.volumes {
		objects = append(objects, v)
	}
	return objects
}

// claims describes the claims of a pod that has some.
func (p pair) claims() string {
	for _, d := range p.disks {
		if d.open {
			return "pod with an open claim"
		}
	}
	return "pod with bound claims"
}

// mount adds the volumes that placement reads.
func (d disk) mount(query *placement.Pod) {
	if d.open {
		query.Unknown |= placement.PartVolumes
		return
	}
	volume := placement.Volume{Name: d.volumes[0].Name}
	if affinity := d.volumes[0].Spec.NodeAffinity; affinity != nil {
		volume.Required = affinity.Required
	}
	query.Volumes = append(query.Volumes, volume)
}

// static returns a class whose claims wait for a pod, and for which nothing is provisioned.
func static(name string) *storagev1.StorageClass {
	mode := storagev1.VolumeBindingWaitForFirstConsumer
	return &storagev1.StorageClass{
		TypeMeta:    metav1.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "StorageClass"},
		ObjectMeta:  metav1.ObjectMeta{Name: name},
		Provisioner: "kubernetes.io/no-provisioner", VolumeBindingMode: &mode,
	}
}

// disks adds claims with volumes that mostly match a pool.
func (g gen) disks(s *scenario, p *pair, base topology.Pool) {
	for i := range pick(g, 0, 0, 0, 0, 0, 1, 1, 2) {
		name := fmt.Sprintf("%s-%d", p.name, i)
		var d disk
		if g.chance(8) {
			d = g.openDisk(name, s.static.Name, base)
		} else {
			d = g.boundDisk(name, pick(g, "", s.static.Name), base)
		}
		p.disks = append(p.disks, d)
		volume := corev1.Volume{Name: fmt.Sprintf("data-%d", i)}
		volume.PersistentVolumeClaim = &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}
		p.template.Spec.Volumes = append(p.template.Spec.Volumes, volume)
	}
}

func (g gen) openDisk(name, class string, base topology.Pool) disk {
	d := disk{claim: claimOf(name, class), open: true}
	for i := range g.IntN(3) {
		d.volumes = append(d.volumes, g.volume(fmt.Sprintf("%s-%d", name, i), class, base))
	}
	return d
}

// boundDisk returns a claim and a volume of which one names the other, or both do.
func (g gen) boundDisk(name, class string, base topology.Pool) disk {
	claim, volume := claimOf(name, class), g.volume(name, class, base)
	naming := g.IntN(3)
	if naming != 0 {
		claim.Spec.VolumeName = volume.Name
	}
	if naming != 1 {
		volume.Spec.ClaimRef = &corev1.ObjectReference{Namespace: namespace, Name: claim.Name}
	}
	return disk{claim: claim, volumes: []*corev1.PersistentVolume{volume}}
}

var (
	modes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany}
	room  = corev1.ResourceList{corev1.ResourceStorage: *resource.NewQuantity(1<<30, resource.BinarySI)}
)

func claimOf(name, class string) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: modes, Resources: corev1.VolumeResourceRequirements{Requests: room}, StorageClassName: &class,
		},
	}
}

func (g gen) volume(name, class string, base topology.Pool) *corev1.PersistentVolume {
	volume := &corev1.PersistentVolume{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolume"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: corev1.PersistentVolumeSpec{
			AccessModes: modes, Capacity: room, StorageClassName: class,
			PersistentVolumeSource: corev1.PersistentVolumeSource{
				HostPath: &corev1.HostPathVolumeSource{Path: "/data"},
			},
		},
	}
	if !g.chance(6) {
		volume.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: g.required(base)}
	}
	return volume
}

// provide creates the claims and volumes, and returns when the controller has bound those that name each other. No
// other topology has objects with these names, so they stay.
func (c *controlPlane) provide(t *testing.T, s *scenario) {
	t.Helper()
	_, err := c.client.StorageV1().StorageClasses().Create(t.Context(), s.static, metav1.CreateOptions{})
	check(t, err)
	var disks []disk
	bound := map[string]bool{}
	for _, p := range s.pairs {
		disks = append(disks, p.disks...)
		for _, d := range p.disks {
			bound[d.claim.Name] = !d.open
		}
	}
	volumes := c.client.CoreV1().PersistentVolumes()
	claims := c.client.CoreV1().PersistentVolumeClaims(namespace)
	atOnce(disks, func(d disk) {
		for _, v := range d.volumes {
			_, err := volumes.Create(t.Context(), v, metav1.CreateOptions{})
			check(t, err)
		}
	})
	// If the controller observes a claim before its volume, it waits for a while.
	until(t, "the controller has observed the volumes", func(ctx context.Context) (bool, error) {
		list, err := volumes.List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		for _, v := range list.Items {
			if v.Status.Phase == "" || v.Status.Phase == corev1.VolumePending {
				return false, nil
			}
		}
		return true, nil
	})
	atOnce(disks, func(d disk) {
		_, err := claims.Create(t.Context(), d.claim, metav1.CreateOptions{})
		check(t, err)
	})
	until(t, "the claims are bound", func(ctx context.Context) (bool, error) {
		list, err := claims.List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		for _, claim := range list.Items {
			if bound[claim.Name] && claim.Status.Phase != corev1.ClaimBound {
				return false, nil
			}
		}
		return true, nil
	})
}
