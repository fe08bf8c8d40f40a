package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	benchv1 "kubewright.dev/bench/runtime/api/v1"
)

const (
	rounds       = 20
	warmUpRounds = 5
)

var secretName = types.NamespacedName{Namespace: "default", Name: "bench"}

// fanOut changes a Secret for which all Samples are reconciled, again and again, and prints the number of reconciles per second.
type fanOut struct {
	client   client.Client
	inner    *SampleReconciler
	left     atomic.Int64
	finished chan struct{}
}

func (f *fanOut) setup(mgr ctrl.Manager, options controller.Options) error {
	if err := mgr.Add(manager.RunnableFunc(f.run)); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&benchv1.Sample{}).
		Owns(&corev1.ConfigMap{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(f.requests)).
		WithOptions(options).
		Complete(f)
}

func (f *fanOut) requests(ctx context.Context, _ client.Object) []reconcile.Request {
	var samples benchv1.SampleList
	if err := f.client.List(ctx, &samples, client.UnsafeDisableDeepCopy); err != nil {
		panic(err)
	}
	requests := make([]reconcile.Request, len(samples.Items))
	for i := range samples.Items {
		requests[i].Name, requests[i].Namespace = samples.Items[i].Name, samples.Items[i].Namespace
	}
	return requests
}

// Reconcile runs the operator's reconcile, which finds everything up to date.
func (f *fanOut) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	result, err := f.inner.Reconcile(ctx, req)
	if f.left.Add(-1) == 0 {
		f.finished <- struct{}{}
	}
	return result, err
}

func (f *fanOut) run(ctx context.Context) error {
	created := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: secretName.Namespace, Name: secretName.Name}}
	if err := client.IgnoreAlreadyExists(f.client.Create(ctx, created)); err != nil {
		return err
	}
	var samples benchv1.SampleList
	if err := f.client.List(ctx, &samples); err != nil {
		return err
	}
	// The requests of the initial list come first.
	time.Sleep(5 * time.Second)
	var fromCPU time.Duration
	var fromTime time.Time
	for round := 0; round < warmUpRounds+rounds; round++ {
		if round == warmUpRounds {
			fromCPU, fromTime = cpu(), time.Now()
		}
		f.left.Store(int64(len(samples.Items)))
		var secret corev1.Secret
		if err := f.client.Get(ctx, secretName, &secret); err != nil {
			return err
		}
		before := secret.DeepCopy()
		secret.Annotations = map[string]string{"round": strconv.Itoa(round)}
		if err := f.client.Patch(ctx, &secret, client.MergeFrom(before)); err != nil {
			return err
		}
		<-f.finished
	}
	done := float64(rounds * len(samples.Items))
	fmt.Fprintf(os.Stdout, "rate %f %f\n", done/time.Since(fromTime).Seconds(), done/(cpu()-fromCPU).Seconds())
	return nil
}
