package main

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/source"

	benchv1 "kubewright.dev/bench/runtime/api/v1"
)

const (
	warmUp  = 2 * time.Second
	measure = 5 * time.Second
	// Number of concurrent requests: fewer than there are Samples, because otherwise two would be merged.
	inFlight = 500
)

// load calls reconciles without work as fast as the queue allows, and prints their number per second.
type load struct {
	client   client.Client
	inner    *SampleReconciler
	reads    bool
	events   chan event.GenericEvent
	permits  chan struct{}
	running  atomic.Bool
	finished atomic.Int64
}

func newLoad(c client.Client, inner *SampleReconciler, reads bool) *load {
	return &load{
		client: c, inner: inner, reads: reads,
		events: make(chan event.GenericEvent), permits: make(chan struct{}, inFlight),
	}
}

func (l *load) setup(mgr ctrl.Manager, options controller.Options) error {
	if err := mgr.Add(manager.RunnableFunc(l.run)); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&benchv1.Sample{}).
		Owns(&corev1.ConfigMap{}).
		WatchesRawSource(source.Channel(l.events, &handler.EnqueueRequestForObject{})).
		WithOptions(options).
		Complete(l)
}

// Reconcile returns immediately, or runs the operator's reconcile, which finds everything up to date.
func (l *load) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !l.running.Load() {
		return ctrl.Result{}, nil
	}
	defer func() {
		l.finished.Add(1)
		<-l.permits
	}()
	if l.reads {
		return l.inner.Reconcile(ctx, req)
	}
	return ctrl.Result{}, nil
}

func (l *load) run(ctx context.Context) error {
	var samples benchv1.SampleList
	if err := l.client.List(ctx, &samples); err != nil {
		return err
	}
	// Handle the requests of the initial list first.
	time.Sleep(warmUp)
	l.running.Store(true)
	begin := time.Now()
	var from int64
	var fromCPU time.Duration
	var fromTime time.Time
	for i := 0; ; i++ {
		if i%1024 == 0 {
			if fromTime.IsZero() && time.Since(begin) > warmUp {
				from, fromCPU, fromTime = l.finished.Load(), cpu(), time.Now()
			} else if !fromTime.IsZero() && time.Since(fromTime) > measure {
				break
			}
		}
		l.permits <- struct{}{}
		l.events <- event.GenericEvent{Object: &samples.Items[i%len(samples.Items)]}
	}
	seconds := time.Since(fromTime).Seconds()
	done := float64(l.finished.Load() - from)
	fmt.Fprintf(os.Stdout, "rate %f %f\n", done/seconds, done/(cpu()-fromCPU).Seconds())
	return nil
}

func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
