// The manager of bench/security.ts on controller-runtime, with the flags, servers and defaults of kubebuilder's scaffold.
// ../operator is the same manager in TypeScript.
package main

import (
	"crypto/tls"
	"flag"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	benchv1 "kubewright.dev/bench/security/api/v1"
	benchv2 "kubewright.dev/bench/security/api/v2"
)

var setupLog = ctrl.Log.WithName("setup")

func main() {
	metricsAddr := flag.String("metrics-bind-address", "0", "address of the metrics server")
	probeAddr := flag.String("health-probe-bind-address", ":8081", "address of the health probes")
	webhookPort := flag.Int("webhook-port", 9443, "port of the webhooks")
	webhookCertPath := flag.String("webhook-cert-path", "", "directory with the certificate of the webhooks")
	enableLeaderElection := flag.Bool("leader-elect", false, "elects a leader")
	enableHTTP2 := flag.Bool("enable-http2", false, "serves HTTP/2")
	opts := zap.Options{Development: true}
	opts.BindFlags(flag.CommandLine)
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.UseFlagOptions(&opts)))

	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(benchv1.AddToScheme(scheme))
	utilruntime.Must(benchv2.AddToScheme(scheme))

	var tlsOpts []func(*tls.Config)
	if !*enableHTTP2 {
		tlsOpts = append(tlsOpts, func(c *tls.Config) { c.NextProtos = []string{"http/1.1"} })
	}
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme: scheme,
		Metrics: metricsserver.Options{
			BindAddress:    *metricsAddr,
			SecureServing:  true,
			TLSOpts:        tlsOpts,
			FilterProvider: filters.WithAuthenticationAndAuthorization,
		},
		WebhookServer:           webhook.NewServer(webhook.Options{TLSOpts: tlsOpts, Port: *webhookPort, CertDir: *webhookCertPath}),
		HealthProbeBindAddress:  *probeAddr,
		LeaderElection:          *enableLeaderElection,
		LeaderElectionID:        "security.bench.kubewright.dev",
		LeaderElectionNamespace: "default",
	})
	exitIf(err, "Failed to start manager")
	exitIf((&OrderReconciler{Client: mgr.GetClient(), Scheme: mgr.GetScheme()}).SetupWithManager(mgr), "Failed to create controller")
	exitIf(setupOrderWebhookWithManager(mgr), "Failed to create webhook")
	exitIf(mgr.AddHealthzCheck("healthz", healthz.Ping), "Failed to set up health check")
	exitIf(mgr.AddReadyzCheck("readyz", healthz.Ping), "Failed to set up ready check")
	setupLog.Info("Starting manager")
	exitIf(mgr.Start(ctrl.SetupSignalHandler()), "Failed to run manager")
}

func exitIf(err error, message string) {
	if err == nil {
		return
	}
	setupLog.Error(err, message)
	os.Exit(1)
}
