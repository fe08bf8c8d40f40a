// The alerts of every operator, with their default conditions, and the series with which promtool tests them.

import { pascalCase } from "../../text/pascal-case.ts";
import {
  type Cases,
  controllerLabels,
  controllersOf,
  type Definition,
  percent,
  type Runbook,
  testNamespace,
} from "./definition.ts";
import { type Operator, selector } from "./operator.ts";
import { always, bucketsAround, histogram, per, shares } from "./series.ts";

/** The changes of an alert by the user. */
export interface AlertSettings {
  readonly enabled?: boolean;
  readonly above?: number;
  readonly for?: string;
  readonly severity?: string;
}

/** An alert of a project. */
export interface Alert {
  /** The name without that of the project, such as `HotLoop`. */
  readonly key: string;
  readonly name: string;
  readonly expr: string;
  readonly for: string;
  readonly severity: string;
  readonly summary: string;
  readonly description: string;
  readonly runbook: Runbook;
  readonly cases: Cases;
}

const definitions = {
  ReconcileErrors: {
    above: 0.1,
    most: 1,
    for: "15m",
    severity: "warning",
    summary: "Reconciles of {{ $labels.controller }} fail",
    description: (above) =>
      `More than ${percent(above)} of the reconciles of the controller {{ $labels.controller }} fail, and more than one per minute.`,
    runbook: {
      impact: "Some objects don't get their wanted state. The controller tries again with growing delays.",
      diagnosis: [
        "Search the log for `Reconciler error`: it contains the object, the error, and its stack trace.",
        "Compare the time of the first error with the last deployment, and with changes in the cluster.",
      ],
      mitigation: [
        "If a permission is missing, the log contains the marker to add: add it, run `make manifests`, and deploy.",
        "If a new version causes the errors, roll it back.",
      ],
    },
    expr(operator, above) {
      const series = controllersOf(operator);
      const errors = `sum by (namespace, controller) (rate(controller_runtime_reconcile_errors_total${series}[5m]))`;
      const total = `sum by (namespace, controller) (rate(controller_runtime_reconcile_total${series}[5m]))`;
      return `${errors} / ${total} > ${above} and ${errors} * 60 > 1`;
    },
    cases(operator, above) {
      const { all, shown } = controllerLabels(operator);
      const { most, few } = shares(above);
      const total = {
        metric: "controller_runtime_reconcile_total",
        labels: { ...all, result: "success" },
        values: per(600),
      };
      const errors = (step: number) => ({
        metric: "controller_runtime_reconcile_errors_total",
        labels: all,
        values: per(step),
      });
      return { firing: [total, errors(most)], silent: [total, errors(few)], labels: shown };
    },
  },
  ReconcileStuck: {
    above: 600,
    for: "5m",
    severity: "critical",
    summary: "A reconcile of {{ $labels.controller }} doesn't end",
    description: (above) =>
      `One reconcile of the controller {{ $labels.controller }} runs for longer than ${above} seconds.`,
    runbook: {
      impact: "The object of this reconcile isn't processed, and one of the controller's workers is lost.",
      diagnosis: [
        "Start the manager with `--inspect-bind-address` to see which object is being reconciled.",
        "Record a profile or a heap snapshot to see what the reconcile waits for.",
      ],
      mitigation: [
        "Restart the manager: `kubectl rollout restart deployment`.",
        "Set `reconciliationTimeout`, and pass `ctx.signal` to all calls of external systems.",
      ],
    },
    expr: (operator, above) =>
      `max by (namespace, controller) (workqueue_longest_running_processor_seconds${controllersOf(operator)}) > ${above}`,
    cases(operator, above) {
      const { all, shown } = controllerLabels(operator);
      const series = (value: number) => [
        { metric: "workqueue_longest_running_processor_seconds", labels: all, values: always(value) },
      ];
      return { firing: series(above * 2), silent: series(above / 2), labels: shown };
    },
  },
  QueueSlow: {
    above: 60,
    for: "15m",
    severity: "warning",
    summary: "Objects wait in the queue of {{ $labels.controller }}",
    description: (above) =>
      `One in a hundred requests waits for more than ${above} seconds in the queue of the controller {{ $labels.controller }}.`,
    runbook: {
      impact: "Changes take effect late.",
      diagnosis: [
        "Compare `workqueue_adds_total` with `controller_runtime_reconcile_total`: do more requests come than the controller can process?",
        "Look at `controller_runtime_reconcile_time_seconds`: have reconciles become slower?",
      ],
      mitigation: ["Increase `maxConcurrentReconciles`.", "Filter events that change nothing with predicates."],
    },
    expr: (operator, above) =>
      `histogram_quantile(0.99, sum by (namespace, controller, le) (rate(workqueue_queue_duration_seconds_bucket${controllersOf(operator)}[5m]))) > ${above}`,
    cases(operator, limit) {
      const { all, shown } = controllerLabels(operator);
      const { above, below } = bucketsAround(limit);
      const series = (bucket: number) => histogram("workqueue_queue_duration_seconds", all, bucket);
      return { firing: series(above), silent: series(below), labels: shown };
    },
  },
  HotLoop: {
    above: 20,
    for: "30m",
    severity: "warning",
    summary: "{{ $labels.controller }} reconciles without a pause",
    description: (above) =>
      `The controller {{ $labels.controller }} has reconciled more than ${above} times per second for a long time.`,
    runbook: {
      impact: "The operator and the API server use much processor time. Other changes may wait.",
      diagnosis: [
        "Start the manager with `--inspect-bind-address`, and read why an object was reconciled: usually a write of the operator itself is the cause.",
        "Run `scaffold simulate`: it finds writes that never end.",
      ],
      mitigation: [
        "Write only if something differs, and don't put times or random values into objects.",
        "Ignore changes of the status with `generationChangedPredicate`.",
      ],
    },
    expr: (operator, above) =>
      `sum by (namespace, controller) (rate(controller_runtime_reconcile_total${controllersOf(operator)}[5m])) > ${above}`,
    cases(operator, above) {
      const { all, shown } = controllerLabels(operator);
      const labels = { ...all, result: "success" };
      const series = (step: number) => [{ metric: "controller_runtime_reconcile_total", labels, values: per(step) }];
      return { firing: series(above * 120), silent: series(above * 30), labels: shown };
    },
  },
  NoLeader: {
    for: "5m",
    severity: "critical",
    summary: "No replica of the operator leads",
    description: () => "Replicas of the operator report the Lease {{ $labels.name }}, and none of them holds it.",
    runbook: {
      impact: "No object is reconciled. Webhooks still work.",
      diagnosis: [
        "Read the holder and the time of the Lease: `kubectl get lease -o yaml`.",
        "Search the log for errors of the leader election, such as a missing permission for Leases.",
      ],
      mitigation: [
        "If the holder no longer exists, a replica takes the Lease over when it has expired. Restart the replicas if none does.",
      ],
    },
    expr: ({ job, lease }) =>
      `max by (namespace, name) (leader_election_master_status${selector({ job, name: lease })}) == 0`,
    cases({ job, lease = "example" }) {
      const replica = (instance: string, value: number) => ({
        metric: "leader_election_master_status",
        labels: { job, namespace: testNamespace, name: lease, instance },
        values: always(value),
      });
      return {
        firing: [replica("a", 0), replica("b", 0)],
        silent: [replica("a", 1), replica("b", 0)],
        labels: { namespace: testNamespace, name: lease },
      };
    },
  },
  EventsDropped: {
    for: "0m",
    severity: "warning",
    summary: "The operator has dropped events of {{ $labels.kind }}",
    description: () =>
      "No handler has processed some events of {{ $labels.kind }} ({{ $labels.reason }}). The operator may have missed changes.",
    runbook: {
      impact: "Objects whose event was dropped are reconciled only after their next change, or the next full resync.",
      diagnosis: ["Search the log for errors of event handlers, predicates and map functions."],
      mitigation: ["Restart the manager: it then reconciles all objects.", "Fix the error of the handler."],
    },
    expr({ job }) {
      const series = `kubewright_dropped_events_total${selector({ job }, 'reason!="limit"')}`;
      const sum = "sum by (namespace, kind, reason)";
      // The series begins with the first drop, which increase() can't see.
      return `${sum} (increase(${series}[10m])) > 0 or (${sum} (${series}) unless ${sum} (${series} offset 10m)) > 0`;
    },
    cases({ job }) {
      const series = (reason: string) => [
        {
          metric: "kubewright_dropped_events_total",
          labels: { job, namespace: testNamespace, kind: "Pod", reason },
          values: per(1),
        },
      ];
      return {
        firing: series("error"),
        silent: series("limit"),
        labels: { namespace: testNamespace, kind: "Pod", reason: "error" },
      };
    },
  },
  ApiErrors: {
    above: 0.1,
    most: 1,
    for: "15m",
    severity: "warning",
    summary: "The API server refuses requests of the operator",
    description: (above) => `More than ${percent(above)} of the operator's requests get the status 429 or 5xx.`,
    runbook: {
      impact: "Reconciles fail or take longer.",
      diagnosis: [
        "Status 429: look at the API server's priority and fairness (`apiserver_flowcontrol_rejected_requests_total`).",
        "Status 5xx: look at the API server, its webhooks, and etcd. Other clients should have the same errors.",
      ],
      mitigation: ["Reduce the requests of the operator: read from the cache, and write only if something differs."],
    },
    expr({ job }, above) {
      const errors = selector({ job }, 'code=~"429|5.."');
      const sum = "sum by (namespace)";
      return `${sum} (rate(rest_client_requests_total${errors}[5m])) / ${sum} (rate(rest_client_requests_total${selector({ job })}[5m])) > ${above}`;
    },
    cases({ job }, above) {
      const { most, few } = shares(above);
      const series = (code: string, step: number) => ({
        metric: "rest_client_requests_total",
        labels: { job, namespace: testNamespace, code, method: "GET", host: "10.0.0.1:443" },
        values: per(step),
      });
      return {
        firing: [series("200", 600 - most), series("503", most)],
        silent: [series("200", 600 - few), series("503", few)],
        labels: { namespace: testNamespace },
      };
    },
  },
  CertificateErrors: {
    for: "15m",
    severity: "critical",
    summary: "The operator can't read a certificate",
    description: () => "The operator can't read a certificate of its metrics or webhooks, and keeps the old one.",
    runbook: {
      impact: "When the old certificate expires, calls of webhooks and scrapes of metrics fail.",
      diagnosis: [
        "Search the log for the path of the certificate and the reason.",
        "Compare the certificate with its key.",
      ],
      mitigation: ["Renew the certificate, for example with `cmctl renew`."],
    },
    expr: ({ job }) =>
      `sum by (namespace) (increase(certwatcher_read_certificate_errors_total${selector({ job })}[10m])) > 0`,
    cases({ job }) {
      const series = (step: number) => [
        {
          metric: "certwatcher_read_certificate_errors_total",
          labels: { job, namespace: testNamespace },
          values: per(step),
        },
      ];
      return { firing: series(1), silent: series(0), labels: { namespace: testNamespace } };
    },
  },
  Down: {
    for: "5m",
    severity: "critical",
    summary: "The operator is down",
    description: () => "Prometheus can't scrape any replica of the operator ({{ $labels.job }}).",
    runbook: {
      impact: "Probably no object is reconciled, and webhooks may refuse requests.",
      diagnosis: [
        "Look at the Pods of the operator and their events: `kubectl get pods` and `kubectl describe pod`.",
        "If they run, look at the target in Prometheus: a missing permission or a NetworkPolicy has the same effect.",
      ],
      mitigation: ["Roll back the last deployment, or correct what keeps the Pods from starting."],
    },
    expr({ job }) {
      const series = `up${selector({ job })}`;
      return `max by (namespace, job) (${series}) == 0 or absent(${series})`;
    },
    cases({ job }) {
      const series = (value: number) => [
        { metric: "up", labels: { job, namespace: testNamespace, instance: "a" }, values: always(value) },
      ];
      return { firing: series(0), silent: series(1), labels: { namespace: testNamespace, job } };
    },
  },
  WebhookErrors: {
    above: 0.05,
    most: 1,
    for: "10m",
    severity: "critical",
    summary: "The webhook {{ $labels.webhook }} fails",
    description: (above) =>
      `More than ${percent(above)} of the admission requests to {{ $labels.webhook }} get the status 5xx.`,
    runbook: {
      impact: "With the failure policy Fail, users can't create or change objects.",
      diagnosis: ["Search the log for errors with the path of the webhook."],
      mitigation: [
        "Roll back the last deployment.",
        "In an emergency, remove the webhook from its configuration until the error is fixed.",
      ],
    },
    expr({ job }, above) {
      const errors = selector({ job }, 'code=~"5.."');
      const sum = "sum by (namespace, webhook)";
      return `${sum} (rate(controller_runtime_webhook_requests_total${errors}[5m])) / ${sum} (rate(controller_runtime_webhook_requests_total${selector({ job })}[5m])) > ${above}`;
    },
    cases({ job }, above) {
      const { most, few } = shares(above);
      const shown = { namespace: testNamespace, webhook: "/validate" };
      const series = (code: string, step: number) => ({
        metric: "controller_runtime_webhook_requests_total",
        labels: { job, ...shown, code },
        values: per(step),
      });
      return {
        firing: [series("200", 600 - most), series("500", most)],
        silent: [series("200", 600 - few), series("500", few)],
        labels: shown,
      };
    },
  },
  WebhookSlow: {
    above: 2,
    for: "10m",
    severity: "warning",
    summary: "The webhook {{ $labels.webhook }} is slow",
    description: (above) =>
      `One in a hundred admission requests to {{ $labels.webhook }} takes longer than ${above} seconds.`,
    runbook: {
      impact: "Writes of users take longer, and fail when the timeout of the webhook is exceeded.",
      diagnosis: [
        "Look at the processor time and memory of the manager: is it throttled?",
        "Record a profile, and look for calls of external systems in the webhook.",
      ],
      mitigation: ["Give the manager more processor time, or more replicas.", "Read from the cache in webhooks."],
    },
    expr: ({ job }, above) =>
      `histogram_quantile(0.99, sum by (namespace, webhook, le) (rate(controller_runtime_webhook_latency_seconds_bucket${selector({ job })}[5m]))) > ${above}`,
    cases({ job }, limit) {
      const shown = { namespace: testNamespace, webhook: "/validate" };
      const { above, below } = bucketsAround(limit);
      const series = (bucket: number) =>
        histogram("controller_runtime_webhook_latency_seconds", { job, ...shown }, bucket);
      return { firing: series(above), silent: series(below), labels: shown };
    },
  },
} as const satisfies Readonly<Record<string, Definition>>;

type AlertKey = keyof typeof definitions;

/** The names of all alerts, without the project's name. */
export const alertKeys = Object.keys(definitions) as AlertKey[];

/** Whether an alert has a threshold, and the largest one that makes sense. */
export function thresholdOf(key: string): { readonly most?: number } | undefined {
  const definition: Definition | undefined = definitions[key as AlertKey];
  return definition?.above === undefined ? undefined : { most: definition.most };
}

/** Returns the alerts of an operator: those of webhooks only if it has any. */
export function alertsOf(operator: Operator, settings: ReadonlyMap<string, AlertSettings> = new Map()): Alert[] {
  return alertKeys.flatMap((key): Alert[] => {
    const definition: Definition = definitions[key];
    const changed = settings.get(key) ?? {};
    if (changed.enabled === false || (key.startsWith("Webhook") && !operator.hasWebhooks)) return [];
    const above = changed.above ?? definition.above ?? 0;
    return [
      {
        key,
        name: `${pascalCase(operator.project)}${key}`,
        expr: definition.expr(operator, above),
        for: changed.for ?? definition.for,
        severity: changed.severity ?? definition.severity,
        summary: definition.summary,
        description: definition.description(String(above)),
        runbook: definition.runbook,
        cases: definition.cases(operator, above),
      },
    ];
  });
}
