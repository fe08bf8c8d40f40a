import { managerFlags } from "../../../runtime/src/manager/flags.ts";
import { cell, code, head, madeFrom, prose } from "./markdown.ts";

const intro = `This page lists the flags of every manager whose \`main.ts\` calls \`parseManagerFlags()\`, as scaffolded projects do.

**When you need it:** you configure an operator. **Prerequisites:** a project from the [quick start](../quick-start.md).

The flags have kubebuilder's names. Set them in \`args\` in \`config/manager/manager.yaml\`, or for one run: \`make run ARGS="--zap-devel"\`. \`--help\` prints this list.
A boolean flag takes a value only after \`=\`, as in Go: \`--metrics-secure=false\`.`;

const outro = `## Your own flags

\`parseManagerFlags(argv, { options })\` adds flags to this list. See [the runtime API](runtime/manager.md#parsemanagerflags).

## Environment variables

| Variable | Effect |
|---|---|
| \`KUBECONFIG\` | the kubeconfig outside of a cluster, if \`--kubeconfig\` isn't set |
| \`ENABLE_WEBHOOKS=false\` | runs the manager without webhooks |
| \`WATCH_NAMESPACE\` | the namespaces to watch in [namespaced projects](../how-to/least-privilege.md#named-namespaces-only), separated by commas |
| \`HTTPS_PROXY\`, \`NO_PROXY\` | the proxy for requests to API servers |
`;

/** Returns the text of docs/reference/manager-flags.md. */
export function managerFlagsReference(): string {
  const rows = Object.entries(managerFlags).map(([name, { type, default: value, description }]) => {
    const shown = value === undefined || value === "" ? "" : code(String(value));
    return `| ${code(`--${name}`)} | ${type} | ${shown} | ${cell(prose(description))} |`;
  });
  return [
    ...head("All command-line flags of a manager, with their types and defaults, and its environment variables."),
    "# Flags of the manager",
    "",
    madeFrom("runtime/src/manager/flags.ts"),
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
