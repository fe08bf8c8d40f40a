import { type FieldError, validateFieldManager } from "@kubewright/cel/validation";
import { badRequest, invalid, type StatusError } from "../model/status.ts";
import type { DeleteOptions, Preconditions, WriteOptions } from "../model/write-options.ts";
import { type FieldSelector, parseFieldSelector } from "./field-selector.ts";
import { type LabelSelector, parseLabelSelector } from "./label-selector.ts";
import type { Query } from "./query.ts";

/** The options of lists and watches. */
export interface ListOptions {
  labelSelector: LabelSelector;
  fieldSelector: FieldSelector;
  /** As it is given, because servers read it only if the feature is on. */
  shardSelector: string;
  watch: boolean;
  allowWatchBookmarks: boolean;
  resourceVersion: string;
  resourceVersionMatch: string;
  timeoutSeconds: number | undefined;
  limit: number;
  continue: string;
  sendInitialEvents: boolean | undefined;
}

/**
 * Rejects the parameter `export` of reads of one object, which older servers had.
 *
 * @param query - the query
 * @throws StatusError if it is set
 */
export function rejectExport(query: Query): void {
  if (query.flag("export")) {
    throw badRequest("the export parameter, deprecated since v1.14, is no longer supported");
  }
}

function invalidOptions(kind: string, errors: FieldError[]): StatusError {
  return invalid({ group: "meta.k8s.io", kind }, "", errors);
}

function notSupported(field: string, value: FieldError["value"], supported: readonly string[]): FieldError {
  const detail = `supported values: ${supported.map((one) => JSON.stringify(one)).join(", ")}`;
  return { type: "FieldValueNotSupported", field, value, detail };
}

function forbidden(field: string, detail: string): FieldError {
  return { type: "FieldValueForbidden", field, detail };
}

/**
 * Reads and checks the options of a list, a watch or a deletion of a collection.
 *
 * @param query - the parameters of the request
 * @param watch - true for paths that always are watches
 * @returns the options with defaults
 * @throws StatusError for options that aren't valid
 */
export function listOptions(query: Query, watch = false): ListOptions {
  const options: ListOptions = {
    watch: watch || query.flag("watch"),
    allowWatchBookmarks: query.flag("allowWatchBookmarks"),
    resourceVersion: query.text("resourceVersion"),
    resourceVersionMatch: query.text("resourceVersionMatch"),
    timeoutSeconds: query.integer("timeoutSeconds"),
    limit: query.integer("limit") ?? 0,
    continue: query.text("continue"),
    shardSelector: query.text("shardSelector"),
    sendInitialEvents: query.optionalFlag("sendInitialEvents"),
    // The real server reads the texts of selectors last, in a conversion.
    labelSelector: parsed(() => parseLabelSelector(query.text("labelSelector"))),
    fieldSelector: parsed(() => parseFieldSelector(query.text("fieldSelector"))),
  };
  const legacy = options.resourceVersion === "" || options.resourceVersion === "0";
  if (options.watch && legacy && options.sendInitialEvents === undefined && options.resourceVersionMatch === "") {
    options.sendInitialEvents = true;
    options.resourceVersionMatch = "NotOlderThan";
  }
  const errors = options.watch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalidOptions("ListOptions", errors);
  return options;
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw badRequest((error as Error).message);
  }
}

function listErrors(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const field = "resourceVersionMatch";
  const match = options.resourceVersionMatch;
  if (match !== "") {
    if (options.resourceVersion === "") {
      errors.push(forbidden(field, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
    }
    if (options.continue !== "") {
      errors.push(forbidden(field, "resourceVersionMatch is forbidden when continue is provided"));
    }
    if (match !== "Exact" && match !== "NotOlderThan") {
      errors.push(notSupported(field, match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && options.resourceVersion === "0") {
      errors.push(forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return errors;
}

function watchErrors(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const field = "resourceVersionMatch";
  const match = options.resourceVersionMatch;
  if (options.sendInitialEvents !== undefined && match !== "NotOlderThan") {
    errors.push(forbidden(field, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (match !== "") {
    if (options.sendInitialEvents === undefined) {
      errors.push(forbidden(field, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
    }
    if (match !== "NotOlderThan") errors.push(notSupported(field, match, ["NotOlderThan"]));
    if (options.continue !== "") {
      errors.push(forbidden(field, "resourceVersionMatch is forbidden when continue is provided"));
    }
  }
  return errors;
}

/**
 * Reads and checks the options of a create, update or patch.
 *
 * @param query - the parameters of the request
 * @param kind - the kind of the options, which errors name
 * @param apply - true for server-side apply
 * @returns the options with defaults
 * @throws StatusError (422) for options that aren't valid
 */
export function writeOptions(
  query: Query,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  apply = false,
): WriteOptions {
  const errors: FieldError[] = [];
  const fieldManager = query.text("fieldManager");
  const force = kind === "PatchOptions" ? query.optionalFlag("force") : undefined;
  if (apply && fieldManager === "") {
    errors.push({ type: "FieldValueRequired", field: "fieldManager", detail: "is required for apply patch" });
  }
  if (!apply && force !== undefined) errors.push(forbidden("force", "may not be specified for non-apply patch"));
  errors.push(...validateFieldManager(fieldManager, "fieldManager"));
  const dryRun = query.texts("dryRun");
  errors.push(...dryRunErrors(dryRun));
  const fieldValidation = query.text("fieldValidation");
  if (!["", "Ignore", "Strict", "Warn"].includes(fieldValidation)) {
    errors.push(notSupported("fieldValidation", fieldValidation, ["", "Ignore", "Strict", "Warn"]));
  }
  if (errors.length > 0) throw invalidOptions(kind, errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: (fieldValidation || "Warn") as WriteOptions["fieldValidation"],
    ...(force === undefined ? {} : { force }),
  };
}

function dryRunErrors(dryRun: string[]): FieldError[] {
  return dryRun.every((value) => value === "All") ? [] : [notSupported("dryRun", dryRun, ["All"])];
}

/**
 * Checks and completes the options of a deletion.
 *
 * @param given - the body of the request as an object, or its parameters
 * @returns the options
 * @throws StatusError (422) for options that aren't valid
 */
export function deleteOptions(given: {
  dryRun?: string[];
  gracePeriodSeconds?: number;
  preconditions?: Preconditions;
  orphanDependents?: boolean;
  propagationPolicy?: string;
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}): DeleteOptions {
  const errors: FieldError[] = [];
  const { propagationPolicy: policy, orphanDependents, dryRun = [] } = given;
  if (orphanDependents !== undefined && policy !== undefined) {
    const detail = "orphanDependents and deletionPropagation cannot be both set";
    errors.push({ type: "FieldValueInvalid", field: "propagationPolicy", value: policy, detail });
  }
  if (policy !== undefined && !["Foreground", "Background", "Orphan"].includes(policy)) {
    errors.push(notSupported("propagationPolicy", policy, ["Foreground", "Background", "Orphan", "nil"]));
  }
  errors.push(...dryRunErrors(dryRun), ...unsafeErrors(given));
  if (errors.length > 0) throw invalidOptions("DeleteOptions", errors);
  return { ...given, dryRun: dryRun.length > 0 };
}

const unsafeOption = "ignoreStoreReadErrorWithClusterBreakingPotential";

/** Checks the option to delete objects that can't be read, which excludes most others. */
function unsafeErrors(given: Partial<Omit<DeleteOptions, "dryRun">>): FieldError[] {
  if (given[unsafeOption] !== true) return [];
  const others = ["propagationPolicy", "orphanDependents", "gracePeriodSeconds", "preconditions"] as const;
  return others
    .filter((name) => given[name] !== undefined)
    .map((name) => unsafeError(`cannot be set together with .${name}`));
}

function unsafeError(detail: string): FieldError {
  return { type: "FieldValueInvalid", field: unsafeOption, value: true, detail };
}

/** Returns the error for a deletion of a collection that has the option to delete objects that can't be read. */
export function unsafeCollection(): StatusError {
  const detail = "is not allowed with DELETECOLLECTION, try again after removing the option";
  return invalidOptions("DeleteOptions", [unsafeError(detail)]);
}

/** Returns the parameters of a request that are options of a deletion. */
export function deleteParameters(query: Query): Parameters<typeof deleteOptions>[0] {
  const grace = query.integer("gracePeriodSeconds");
  const orphan = query.optionalFlag("orphanDependents");
  const policy = query.has("propagationPolicy") ? query.text("propagationPolicy") : undefined;
  const unsafe = query.optionalFlag(unsafeOption);
  const uid = query.text("uid");
  const resourceVersion = query.text("resourceVersion");
  const preconditions = { ...(uid === "" ? {} : { uid }), ...(resourceVersion === "" ? {} : { resourceVersion }) };
  return {
    dryRun: query.texts("dryRun"),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(orphan === undefined ? {} : { orphanDependents: orphan }),
    ...(policy === undefined ? {} : { propagationPolicy: policy }),
    ...(unsafe === undefined ? {} : { [unsafeOption]: unsafe }),
    ...(uid === "" && resourceVersion === "" ? {} : { preconditions }),
  };
}
