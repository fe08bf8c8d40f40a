import type { ApiObject } from "../model/resource.ts";
import { methodNotSupported, notFound } from "../model/status.ts";
import { acceptedOf, listDocumentAnswer, objectAnswer } from "../registry/respond.ts";
import type { Scope } from "../registry/scope.ts";
import { matchesFields, parseFieldSelector } from "../request/field-selector.ts";
import { matchesLabels, parseLabelSelector } from "../request/label-selector.ts";
import type { ConnectHandler } from "./connect.ts";

/** Parts of a cluster that kube-apiserver asks for their health, with the ports of those that are other programs. */
const components = { "controller-manager": 10257, scheduler: 10259, "etcd-0": undefined };

/**
 * Creates the handler of ComponentStatuses, which aren't stored. The storage is healthy. The other components only are if
 * the server does their work; otherwise, nothing listens on their ports.
 *
 * @param isSimulated - reports whether the server simulates workloads
 * @returns the handler of reads
 */
export function componentStatuses(isSimulated: () => boolean): ConnectHandler {
  return async (scope) => {
    if (scope.info.verb === "watch") throw methodNotSupported(scope.groupResource, "watch");
    const accepted = acceptedOf(scope);
    const statuses = Object.entries(components).map(([name, port]) =>
      statusOf(name, isSimulated() || port === undefined ? "" : connectionRefused(port)),
    );
    if (scope.info.parts.length < 2) {
      const head = { kind: scope.type.listKind, apiVersion: scope.apiVersion, metadata: {} };
      return listDocumentAnswer(scope, accepted, head, selected(scope, statuses));
    }
    const status = statuses.find(({ metadata }) => metadata.name === scope.info.name);
    if (status === undefined) throw notFound({ group: "", resource: "componentstatus" }, scope.info.name);
    return objectAnswer(scope, 200, accepted, status);
  };
}

/** Returns the statuses that the selectors of a request match. */
function selected({ info }: Scope, statuses: readonly ApiObject[]): ApiObject[] {
  const labels = parseLabelSelector(info.labelSelector);
  const fields = parseFieldSelector(info.fieldSelector);
  return statuses.filter(
    ({ metadata }) =>
      matchesLabels(labels, undefined) &&
      matchesFields(fields, (field) => (field === "metadata.name" ? (metadata.name ?? "") : "")),
  );
}

function connectionRefused(port: number): string {
  return `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`;
}

function statusOf(name: string, problem: string): ApiObject {
  return {
    kind: "ComponentStatus",
    apiVersion: "v1",
    metadata: { name },
    conditions: [
      { type: "Healthy", status: problem === "" ? "True" : "False", message: problem === "" ? "ok" : problem },
    ],
  };
}
