import { equalJson, type Json, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue, invalidValue, notSupported, required } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { internalForm } from "../../codec/internal-form.ts";
import { declared, fieldsOf, isSet, numberOf, textOf } from "../fields/fields.ts";
import { conditionTypeErrors } from "./conditions.ts";

const maximumQueues = 10_000_000;
/** The bits of a hash that selects the queues of a flow. */
const hashBits = 60;

/** The specifications of the levels that every cluster has, by name. */
export const mandatoryLevels: Readonly<Record<"exempt" | "catch-all", JsonObject>> = {
  exempt: { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  "catch-all": {
    type: "Limited",
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" }, lendablePercent: 0 },
  },
};

/** The rules of PriorityLevelConfigurations. */
export const priorityLevelConfiguration: Strategy = {
  validate: levelErrors,
  validateUpdate: (object, _old, { subresource }) =>
    subresource === "status" ? conditionTypeErrors(object) : levelErrors(object),
};

function levelErrors(object: ApiObject): FieldError[] {
  const name = object.metadata.name ?? "";
  const spec = fieldsOf(object.spec);
  const exclusive = "must be 'Exempt' if and only if `name` is 'exempt'";
  const isExempt = spec.type === "Exempt";
  return [
    ...annotationErrors(object),
    ...((name === "exempt") === isExempt ? [] : [invalidValue("spec.type", textOf(spec.type), exclusive)]),
    ...typeErrors(spec),
    ...declared(unionErrors(spec)),
    ...mandatoryErrors(spec, name),
    ...conditionTypeErrors(object),
  ];
}

/** Checks that the annotation is absent which only an older version of the kind has. */
function annotationErrors({ metadata }: ApiObject): FieldError[] {
  const key = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
  if (metadata.annotations?.[key] === undefined) return [];
  return [forbiddenValue("metadata.annotations", `annotation '${key}' is forbidden`)];
}

function typeErrors(spec: JsonObject): FieldError[] {
  const { type, limited, exempt } = spec;
  switch (textOf(type)) {
    case "Exempt":
      return [...sharesErrors(fieldsOf(exempt), "spec.exempt"), ...percentErrors(fieldsOf(exempt), "spec.exempt")];
    case "Limited":
      return isSet(limited) ? limitedErrors(fieldsOf(limited), "spec.limited") : [];
    case "":
      return [required("spec.type", "")];
    default:
      return [notSupported("spec.type", type as Json, ["Exempt", "Limited"])];
  }
}

/** Checks that a level has exactly the fields of its type, and a response those of its own. These rules are declarative. */
function unionErrors({ type, limited, exempt }: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  if (isSet(exempt) && type !== "Exempt") errors.push(forbiddenValue("spec.exempt", ""));
  if (isSet(limited) && type !== "Limited") errors.push(forbiddenValue("spec.limited", ""));
  if (!isSet(limited)) return type === "Limited" ? [...errors, required("spec.limited", "")] : errors;
  const response = fieldsOf(fieldsOf(limited).limitResponse);
  const path = "spec.limited.limitResponse";
  if (textOf(response.type) === "") errors.push(required(`${path}.type`, ""));
  if (isSet(response.queuing) && response.type !== "Queue") errors.push(forbiddenValue(`${path}.queuing`, ""));
  if (!isSet(response.queuing) && response.type === "Queue") errors.push(required(`${path}.queuing`, ""));
  return errors;
}

function mandatoryErrors(spec: JsonObject, name: string): FieldError[] {
  const wrong = (detail: string): FieldError[] => [
    invalidValue("spec", internalForm("flowcontrol.PriorityLevelConfigurationSpec", spec), detail),
  ];
  const { exempt: _exempt, ...others } = spec;
  if (name === "exempt" && !equalJson(others, { type: "Exempt" })) {
    return wrong("spec of 'exempt' except the 'spec.exempt' field must equal the fixed value");
  }
  if (name === "catch-all" && !equalJson(spec, mandatoryLevels["catch-all"]))
    return wrong("spec of 'catch-all' must equal the fixed value");
  return [];
}

function sharesErrors({ nominalConcurrencyShares: shares }: JsonObject, path: string): FieldError[] {
  if (numberOf(shares) >= 0) return [];
  return [invalidValue(`${path}.nominalConcurrencyShares`, shares, "must be a non-negative integer")];
}

function percentErrors({ lendablePercent: percent }: JsonObject, path: string): FieldError[] {
  if (numberOf(percent) >= 0 && numberOf(percent) <= 100) return [];
  return [invalidValue(`${path}.lendablePercent`, percent, "must be between 0 and 100, inclusive")];
}

function limitedErrors(limited: JsonObject, path: string): FieldError[] {
  const borrowing = limited.borrowingLimitPercent;
  const detail = "if specified, must be a non-negative integer";
  return [
    ...sharesErrors(limited, path),
    ...responseErrors(fieldsOf(limited.limitResponse), `${path}.limitResponse`),
    ...percentErrors(limited, path),
    ...(numberOf(borrowing) < 0 ? [invalidValue(`${path}.borrowingLimitPercent`, borrowing, detail)] : []),
  ];
}

function responseErrors({ type, queuing }: JsonObject, path: string): FieldError[] {
  switch (textOf(type)) {
    case "Queue":
      return isSet(queuing) ? queuingErrors(fieldsOf(queuing), `${path}.queuing`) : [];
    case "Reject":
    case "":
      return [];
    default:
      return [notSupported(`${path}.type`, type as Json, ["Queue", "Reject"])];
  }
}

function queuingErrors(queuing: JsonObject, path: string): FieldError[] {
  const [queues, handSize, limit] = [queuing.queues, queuing.handSize, queuing.queueLengthLimit].map(numberOf) as [
    number,
    number,
    number,
  ];
  const errors = limit <= 0 ? [invalidValue(`${path}.queueLengthLimit`, limit, "must be positive")] : [];
  if (queues <= 0) errors.push(invalidValue(`${path}.queues`, queues, "must be positive"));
  else if (queues > maximumQueues) {
    errors.push(invalidValue(`${path}.queues`, queues, `must not be greater than ${maximumQueues}`));
  }
  const hand = (detail: string): number => errors.push(invalidValue(`${path}.handSize`, handSize, detail));
  if (handSize <= 0) hand("must be positive");
  else if (handSize > queues) hand(`should not be greater than queues (${queues})`);
  else if (entropyBits(queues, handSize) > hashBits) {
    hand(`required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${hashBits}`);
  }
  return errors;
}

/** Returns the bits that dealing a hand from a deck takes. */
function entropyBits(deckSize: number, handSize: number): number {
  let bits = 0;
  for (let dealt = 0; dealt < handSize; dealt++) bits += Math.log2(deckSize - dealt);
  return Math.ceil(bits);
}
