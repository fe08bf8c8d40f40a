import { type Encoding, mediaTypes } from "../model/encoding.ts";
import { StatusError } from "../model/status.ts";
import type { Query } from "./query.ts";

/** How a response is written. */
export interface Accepted {
  encoding: Encoding;
  pretty: boolean;
  /** The form to which objects are converted: Table, PartialObjectMetadata or PartialObjectMetadataList. */
  as?: { kind: string; group: string; version: string };
  /** The parameters of the accepted media type, for discovery. */
  params: Record<string, string>;
}

/** The media types that an endpoint can write. */
export interface Offer {
  /** The encodings of its own objects, the preferred one first. */
  encodings: readonly Encoding[];
  /** The encodings named in errors. The default is `encodings`. */
  listed?: readonly Encoding[];
  /** True if objects can be converted to partial metadata, and to Tables unless `tables` is false. */
  transforms: boolean;
  /** @defaultValue true */
  tables?: boolean;
  /** Another kind in which the document is written if a client asks for it. */
  form?: { kind: string; group: string; version: string };
}

interface Clause {
  type: string;
  subtype: string;
  q: number;
  params: Record<string, string>;
}

/**
 * Chooses how to write a response.
 *
 * @param header - the Accept header
 * @param offer - what the endpoint can write
 * @returns the choice
 * @throws StatusError (406) if nothing that the endpoint writes is accepted
 */
export function negotiate(header: string | undefined, offer: Offer): Accepted {
  const first = offer.encodings[0] as Encoding;
  if (header === undefined || header === "") return { encoding: first, pretty: false, params: {} };
  const clauses = parseAccept(header);
  // The other kind of a document is tried for all clauses first, whatever their quality is.
  const choice = (offer.form && choose(clauses, offer, true)) ?? choose(clauses, offer, false);
  if (choice !== undefined) return choice;
  const listed = (offer.listed ?? offer.encodings).map((encoding) => mediaTypes[encoding]);
  throw new StatusError(406, "NotAcceptable", `only the following media types are accepted: ${listed.join(", ")}`);
}

/**
 * Reports whether JSON is indented: the parameter `pretty` decides, and without it the program that reads the response.
 *
 * @param query - the parameters of the request
 * @param agent - its User-Agent header
 * @returns true for indented JSON
 */
export function isPretty(query: Query | undefined, agent: string | undefined): boolean {
  if (query?.has("pretty")) return /^(1|t|T|true|TRUE|True)$/.test(query.text("pretty"));
  return /^(curl|Wget|Mozilla\/5\.0)/.test(agent ?? "");
}

/**
 * Checks that a client accepts what a path produces. Only that type and the range of all types count, without parameters.
 *
 * @param header - the Accept header
 * @param type - the media type of the answer
 * @throws StatusError (406) if it isn't accepted
 */
export function checkProduced(header: string | undefined, type: string): void {
  const types = (header || "*/*").split(",").map((range) => (range.split(";")[0] as string).trim());
  if (types.some((one) => one === "*/*" || one === type)) return;
  throw new StatusError(406, "NotAcceptable", `406: Not Acceptable\n\nAvailable representations: ${type}`, {});
}

function choose(clauses: readonly Clause[], offer: Offer, converted: boolean): Accepted | undefined {
  for (const clause of clauses) {
    for (const encoding of offer.transforms ? (offer.listed ?? offer.encodings) : offer.encodings) {
      const [type, subtype] = mediaTypes[encoding].split("/");
      const matches =
        (clause.type === type && (clause.subtype === subtype || clause.subtype === "*")) ||
        (clause.type === "*" && clause.subtype === "*");
      if (!matches) continue;
      const accepted = accept(clause.params, encoding, offer);
      if (accepted !== undefined && (!converted || accepted.as !== undefined)) return accepted;
    }
  }
  return undefined;
}

function accept(params: Record<string, string>, encoding: Encoding, offer: Offer): Accepted | undefined {
  if (params.stream !== undefined && params.stream !== "" && params.stream !== "watch") return undefined;
  if (params.sv !== undefined && params.sv !== "" && params.sv !== "v1") return undefined;
  const pretty = params.pretty === "1";
  if (params.as === undefined && params.g === undefined && params.v === undefined) {
    return offer.encodings.includes(encoding) ? { encoding, pretty, params } : undefined;
  }
  const as = { kind: params.as ?? "", group: params.g ?? "", version: params.v ?? "" };
  const { form } = offer;
  if (form?.kind === as.kind && form.group === as.group && form.version === as.version) {
    return offer.encodings.includes(encoding) ? { encoding, pretty, as, params } : undefined;
  }
  if (!offer.transforms || as.group !== "meta.k8s.io" || (as.version !== "v1" && as.version !== "v1beta1")) {
    return undefined;
  }
  if (as.kind === "Table") {
    if (offer.tables === false) return undefined;
    return encoding === "json" || encoding === "yaml" ? { encoding, pretty, as, params } : undefined;
  }
  return as.kind === "PartialObjectMetadata" || as.kind === "PartialObjectMetadataList"
    ? { encoding, pretty, as, params }
    : undefined;
}

/**
 * Parses an Accept header as the library of the real server does.
 *
 * @param header - the header
 * @returns its clauses, the preferred one first
 */
export function parseAccept(header: string): Clause[] {
  const clauses: Clause[] = [];
  for (const part of header.split(",")) {
    const [range = "", ...rest] = part.split(";");
    const [type = "", subtype = "", more] = range.split("/").map(trimSpaces);
    if (more || (subtype === "" && type !== "*")) continue;
    const clause: Clause = { type, subtype: subtype || "*", q: 1, params: {} };
    for (const param of rest) {
      const [name = "", value = "", again] = param.split("=");
      if (value === "" || again !== undefined) continue;
      if (trimSpaces(name) === "q") clause.q = number.test(value) ? Number(value) : 0;
      else clause.params[trimSpaces(name)] = trimSpaces(value);
    }
    clauses.push(clause);
  }
  return sorted(clauses);
}

const number = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/** The real server sorts longer lists with another algorithm. */
const mostInserted = 12;

function trimSpaces(text: string): string {
  return text.replace(/^ +|(?<! ) +$/g, "");
}

/**
 * Sorts clauses as the real server does: its order isn't transitive, because ranges come after types of any quality, so that
 * the algorithm counts.
 */
function sorted(clauses: Clause[]): Clause[] {
  const isFirst = (clause: Clause, before: Clause): boolean =>
    clause.q > before.q ||
    (clause.type !== "*" && before.type === "*") ||
    (clause.subtype !== "*" && before.subtype === "*");
  if (clauses.length > mostInserted) return clauses.sort((a, b) => Number(isFirst(b, a)) - Number(isFirst(a, b)));
  for (let end = 1; end < clauses.length; end++) {
    for (let i = end; i > 0; i--) {
      const [before, clause] = [clauses[i - 1] as Clause, clauses[i] as Clause];
      if (!isFirst(clause, before)) break;
      clauses[i - 1] = clause;
      clauses[i] = before;
    }
  }
  return clauses;
}

/**
 * Chooses one of several media types.
 *
 * @param header - the Accept header
 * @param types - the media types
 * @returns the preferred one; undefined if none is accepted
 */
export function chooseType(header: string, types: readonly string[]): string | undefined {
  for (const clause of parseAccept(header || "*/*")) {
    const chosen = types.find((one) => {
      const [type, subtype] = one.split("/");
      return (clause.type === type || clause.type === "*") && (clause.subtype === subtype || clause.subtype === "*");
    });
    if (chosen !== undefined) return chosen;
  }
  return undefined;
}

/**
 * Reads the encoding of a body.
 *
 * @param header - the Content-Type header
 * @param encodings - what the endpoint can read, the default first
 * @param listed - the encodings named in errors
 * @returns the encoding
 * @throws StatusError (415) for any other media type
 */
export function bodyEncoding(
  header: string | undefined,
  encodings: readonly Encoding[],
  listed: readonly Encoding[] = encodings,
): Encoding {
  if ((header ?? "").trim() === "") return encodings[0] as Encoding;
  const type = mediaType(header as string);
  const match = encodings.find((encoding) => mediaTypes[encoding] === type);
  if (match !== undefined) return match;
  throw unsupportedMediaType(listed.map((encoding) => mediaTypes[encoding]));
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const parameter = `;\\s*${token}\\s*=\\s*(${token}|"([^"\\\\]|\\\\.)*")\\s*`;
const parameters = new RegExp(`^(${parameter})*(;\\s*)?$`, "s");

/** Reads the media type of a header in lower case; undefined if the header is malformed. */
function mediaType(header: string): string | undefined {
  const [type = ""] = header.split(";");
  return parameters.test(header.slice(type.length)) ? type.trim().toLowerCase() : undefined;
}

/** Returns the error for a body of another media type than those listed. */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return new StatusError(415, "UnsupportedMediaType", message);
}
