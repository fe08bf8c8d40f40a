// Suites of controller-runtime that pass with etcd and kube-apiserver must also pass with the embedded API server's
// executables.
import { compareServers } from "./go-suites.ts";
import { Suites } from "./suites.ts";

const packages = [
  "pkg/client",
  "pkg/client/apiutil",
  "pkg/controller/controllerutil",
  "pkg/cache",
  "pkg/cluster",
  "pkg/manager",
  "pkg/manager/internal/integration",
  "pkg/controller",
  "pkg/builder",
  "pkg/handler",
  "pkg/internal/controller",
  "pkg/internal/recorder",
  "pkg/metrics/filters",
  "pkg/reconcile",
  "pkg/source",
  "pkg/webhook",
];

compareServers(() => Suites.fetch(), packages, { least: 0, minutes: 20 });
