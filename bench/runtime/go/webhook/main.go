// The webhook server of controller-runtime with one defaulter, for bench/webhook.ts: main DIRECTORY PORT.
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"strconv"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	v1 "kubewright.dev/bench/runtime/api/v1"
)

type defaulter struct{}

func (defaulter) Default(_ context.Context, sample *v1.Sample) error {
	if sample.Spec.Value == "" {
		sample.Spec.Value = "default"
	}
	return nil
}

func main() {
	ctrllog.SetLogger(logr.Discard())
	port, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	scheme := runtime.NewScheme()
	if err := v1.AddToScheme(scheme); err != nil {
		log.Fatal(err)
	}
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: os.Args[1]})
	server.Register("/mutate", admission.WithDefaulter[*v1.Sample](scheme, defaulter{}))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := server.Start(ctx); err != nil {
		log.Fatal(err)
	}
}
