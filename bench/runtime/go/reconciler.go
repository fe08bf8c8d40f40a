package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	benchv1 "kubewright.dev/bench/runtime/api/v1"
)

// SampleReconciler creates a ConfigMap for each Sample and reports it in the status.
type SampleReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile creates or updates the ConfigMap and the status.
func (r *SampleReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var sample benchv1.Sample
	if err := r.Get(ctx, req.NamespacedName, &sample); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: sample.Name, Namespace: sample.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = map[string]string{"value": sample.Spec.Value}
		return controllerutil.SetControllerReference(&sample, configMap, r.Scheme)
	}); err != nil {
		return ctrl.Result{}, err
	}
	status := benchv1.SampleStatus{Value: sample.Spec.Value, ObservedGeneration: sample.Generation}
	if sample.Status == status {
		return ctrl.Result{}, nil
	}
	before := sample.DeepCopy()
	sample.Status = status
	return ctrl.Result{}, r.Status().Patch(ctx, &sample, client.MergeFrom(before))
}

// announceFirst prints the time of the first reconcile, in milliseconds since the epoch.
func announceFirst(inner reconcile.Reconciler) reconcile.Reconciler {
	var once sync.Once
	return reconcile.Func(func(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
		once.Do(func() { fmt.Printf("first %d\n", time.Now().UnixMilli()) })
		return inner.Reconcile(ctx, req)
	})
}
