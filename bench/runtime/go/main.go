// The benchmark's operator on controller-runtime, with the same steps as the TypeScript operator in ../operator.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	benchv1 "kubewright.dev/bench/runtime/api/v1"
)

func main() {
	mode := flag.String("mode", "work", "work, noop, unchanged or fan-out")
	workers := flag.Int("workers", 10, "reconciles at a time")
	flag.Parse()
	if err := run(ctrl.SetupSignalHandler(), *mode, *workers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, mode string, workers int) error {
	ctrl.SetLogger(zap.New(zap.UseDevMode(false)))
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	if err := benchv1.AddToScheme(scheme); err != nil {
		return err
	}
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:  scheme,
		Metrics: server.Options{BindAddress: "127.0.0.1:0"},
	})
	if err != nil {
		return err
	}
	reconciler := &SampleReconciler{Client: mgr.GetClient(), Scheme: mgr.GetScheme()}
	options := controller.Options{MaxConcurrentReconciles: workers}
	switch mode {
	case "noop", "unchanged":
		load := newLoad(mgr.GetClient(), reconciler, mode == "unchanged")
		err = load.setup(mgr, options)
	case "fan-out":
		f := &fanOut{client: mgr.GetClient(), inner: reconciler, finished: make(chan struct{})}
		err = f.setup(mgr, options)
	default:
		err = ctrl.NewControllerManagedBy(mgr).
			For(&benchv1.Sample{}).
			Owns(&corev1.ConfigMap{}).
			WithOptions(options).
			Complete(announceFirst(reconciler))
	}
	if err != nil {
		return err
	}
	return mgr.Start(ctx)
}
