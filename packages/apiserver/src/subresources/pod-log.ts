import { type FieldError, forbiddenValue, invalidValue, parseTime } from "@kubewright/cel/validation";
import type { Answer } from "../model/request.ts";
import { badRequest, invalid, StatusError } from "../model/status.ts";
import { getEntry } from "../registry/read.ts";
import { acceptedOf } from "../registry/respond.ts";
import { parseStored, type Scope } from "../registry/scope.ts";
import type { Query } from "../request/query.ts";
import { checkContainer, checkNode } from "./connect-targets.ts";

/**
 * Answers a request for the log of a container: it is empty before the Pod has a node.
 *
 * @param scope - the request
 * @returns an answer without content
 * @throws StatusError (400, 404, 406, 422) as the real server, or (501) if the Pod has a node with an address
 */
export async function podLog(scope: Scope): Promise<Answer> {
  const { type, info } = scope;
  acceptedOf(scope);
  const errors = optionErrors(info.query);
  if (errors.length > 0) throw invalid({ group: "", kind: "PodLogOptions" }, info.name, errors);
  const pod = parseStored(type, getEntry(scope).text);
  checkContainer(pod, info.query.text("container"));
  const node = (pod.spec as { nodeName?: string } | undefined)?.nodeName ?? "";
  if (node === "") return { status: 204, headers: {} };
  checkNode(scope, node);
  throw new StatusError(501, "NotImplemented", "pods/log: the embedded API server runs no containers and has no nodes");
}

function optionErrors(query: Query): FieldError[] {
  const sinceSeconds = query.integer("sinceSeconds");
  const hasTime = query.text("sinceTime") !== "";
  if (hasTime) checkTime(query.text("sinceTime"));
  const [tailLines, limitBytes] = [query.integer("tailLines"), query.integer("limitBytes")];
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalidValue("tailLines", tailLines, "must be greater than or equal to 0"));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalidValue("limitBytes", limitBytes, "must be greater than 0"));
  }
  if (sinceSeconds !== undefined && hasTime) {
    errors.push(forbiddenValue("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalidValue("sinceSeconds", sinceSeconds, "must be greater than 0"));
  }
  if (query.text("stream") !== "") errors.push(forbiddenValue("stream", "may not be specified"));
  return errors;
}

function checkTime(text: string): void {
  try {
    parseTime(text);
  } catch (error) {
    throw badRequest((error as Error).message);
  }
}
