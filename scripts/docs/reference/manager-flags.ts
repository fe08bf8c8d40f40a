import { type FlagOption, managerFlags } from "../../../packages/runtime/src/manager/flags.ts";
import { cell, code, head, madeFrom, prose } from "./markdown.ts";

const intro = `Every manager whose \`main.ts\` calls \`parseManagerFlags()\`, as scaffolded projects do, has these flags and environment variables.

In a cluster, set flags in \`args\` in \`config/manager/manager.yaml\`. On your machine, pass them to make or \`scaffold\`:

\`\`\`sh
make run ARGS="--zap-devel --leader-elect"
npx scaffold dev -- --zap-log-level=debug
\`\`\`

The flags have kubebuilder's names. \`--help\` prints them. As in Go, a flag can have one dash or two, and a boolean flag takes a value only after \`=\`: \`--metrics-secure=false\`.

The defaults below are those of the program. A scaffolded Deployment also sets \`--leader-elect\`, \`--health-probe-bind-address=:8081\`, and \`--metrics-bind-address=:8443\`.`;

const outro = `## Your own flags

\`parseManagerFlags(argv, { options })\` adds flags to this list. See [the runtime API](runtime/manager.md#parsemanagerflags).

## Environment variables

| Variable | Effect |
|---|---|
| \`KUBECONFIG\` | The kubeconfig, if \`--kubeconfig\` isn't set. Several files are merged. If neither is set, the manager uses the Pod's ServiceAccount, or \`~/.kube/config\` outside of a cluster. |
| \`ENABLE_WEBHOOKS\` | \`false\` starts the manager without webhooks. |
| \`WATCH_NAMESPACE\` | The namespaces to watch in [namespaced projects](../guides/least-privilege.md#named-namespaces-only), separated by commas. |
| \`HTTPS_PROXY\`, \`HTTP_PROXY\`, \`NO_PROXY\` | The proxy for requests to API servers, and the hosts that are reached without it. Lowercase names are accepted too. |

The Deployment of a project with \`--webhook-certs self\` sets these variables for [the certificate that the manager creates](../guides/webhooks-without-cert-manager.md#without-cert-manager):

| Variable | Effect |
|---|---|
| \`WEBHOOK_CERT_SECRET\` | The Secret that contains the certificate. Without this variable, the manager doesn't create one. |
| \`POD_NAMESPACE\` | The namespace of the Secret and of the Services. |
| \`WEBHOOK_SERVICE\` | The Service of the webhooks, for which the certificate is valid. |
| \`MUTATING_WEBHOOK_CONFIGURATION\`, \`VALIDATING_WEBHOOK_CONFIGURATION\` | The configurations that receive the CA. |
| \`METRICS_SERVICE\` | The Service of the metrics, if the metrics server uses the same certificate. |

Kubernetes sets \`KUBERNETES_SERVICE_HOST\` and \`KUBERNETES_SERVICE_PORT\` in each Pod. The manager connects to this API server if no kubeconfig is set.
`;

const helpFlag: FlagOption = {
  type: "boolean",
  description: "Print all flags with their defaults, and exit. Short form: `-h`.",
};

/** Returns the text of docs/reference/manager-flags.md. */
export function managerFlagsReference(): string {
  const entries = Object.entries({ ...managerFlags, help: helpFlag }).sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = entries.map(([name, { type, default: value, description }]) => {
    const shown = value === undefined || value === "" ? "" : code(String(value));
    return `| ${code(`--${name}`)} | ${type} | ${shown} | ${cell(prose(description))} |`;
  });
  return [
    ...head("All command-line flags of a manager, with their types and defaults, and its environment variables."),
    "# Flags of the manager",
    "",
    madeFrom("packages/runtime/src/manager/flags.ts"),
    "",
    intro,
    "",
    "| Flag | Type | Default | Meaning |",
    "|---|---|---|---|",
    ...rows,
    "",
    outro,
  ].join("\n");
}
