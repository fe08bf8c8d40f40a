import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import { isObject } from "@kubewright/cel/json";

/** One write of an object. Without `text`, a deletion. */
export interface JournalRecord {
  collection: string;
  key: string;
  revision: number;
  text?: string;
  /** True if the text lacks defaults of its version. */
  incomplete?: boolean;
}

/** A write that isn't a deletion. */
export type StoredRecord = JournalRecord & { text: string };

/** A complete line of a journal, or the bytes after the last one. */
export interface JournalLine {
  /** From 1. */
  number: number;
  /** Position of the first byte. */
  start: number;
  bytes: Buffer;
  isComplete: boolean;
}

const newline = 10;
const chunkSize = 4 * 2 ** 20;
/** Later revisions couldn't be counted exactly for long. */
const greatestRevision = 2 ** 52;

/**
 * Reads the lines of a file, which can be larger than a buffer.
 *
 * @param file - the open file
 * @returns its lines; the last one is incomplete if it doesn't end with a newline
 */
export function* linesOf(file: number): Generator<JournalLine> {
  let rest = Buffer.alloc(0);
  let start = 0;
  let number = 1;
  for (;;) {
    const chunk = Buffer.allocUnsafe(chunkSize);
    const length = readSync(file, chunk, 0, chunkSize, start + rest.length);
    if (length === 0) break;
    const searched = rest.length;
    rest = searched === 0 ? chunk.subarray(0, length) : Buffer.concat([rest, chunk.subarray(0, length)]);
    let begin = 0;
    for (let end = rest.indexOf(newline, searched); end !== -1; end = rest.indexOf(newline, begin)) {
      yield { number, start: start + begin, bytes: rest.subarray(begin, end), isComplete: true };
      begin = end + 1;
      number++;
    }
    start += begin;
    rest = rest.subarray(begin);
  }
  if (rest.length > 0) yield { number, start, bytes: rest, isComplete: false };
}

/**
 * Decides whether the end of a file is the beginning of a record that a crash has cut off.
 *
 * @param bytes - the bytes after the last newline
 * @returns false if another program has written them
 */
export function isCutRecord(bytes: Buffer): boolean {
  const text = bytes.toString("latin1", 0, 20);
  return ['{"collection":"', '{"revision":'].some((start) => start.startsWith(text.slice(0, start.length)));
}

/**
 * Parses a line.
 *
 * @param bytes - the line, without newline
 * @returns the record. Those without a collection contain only a revision.
 * @throws Error with the rule that the line breaks
 */
export function parseRecord(bytes: Buffer): JournalRecord {
  if (!isUtf8(bytes)) throw new Error("must be UTF-8");
  const record = parseObject(bytes.toString("utf8"), "must be a JSON object");
  const { collection = "", key = "", revision, text, incomplete } = record;
  if (typeof collection !== "string") throw new Error('"collection" must be a string');
  if (typeof key !== "string" || (collection === "") !== (key === "")) throw new Error('"key" must be a string');
  if (!Number.isInteger(revision) || (revision as number) < 1 || (revision as number) > greatestRevision) {
    throw new Error('"revision" must be an integer from 1 to 2^52');
  }
  if (text !== undefined && (typeof text !== "string" || collection === "")) throw new Error('"text" must be a string');
  if (incomplete !== undefined && incomplete !== true) throw new Error('"incomplete" must be true');
  return { ...record, collection, key } as JournalRecord;
}

/**
 * Checks the object of a record.
 *
 * @param record - the record
 * @returns the object
 * @throws Error with the rule that the object breaks
 */
export function checkObject({ key, text }: StoredRecord): { [key: string]: unknown } {
  const object = parseObject(text, '"text" must contain a JSON object');
  const { metadata } = object;
  if (!isObject(metadata)) throw new Error('"text" must contain an object with metadata');
  const { name, namespace, uid, labels, annotations, finalizers, ownerReferences, managedFields } = metadata;
  const { creationTimestamp, deletionTimestamp } = metadata;
  const own = namespace === undefined ? name : `${namespace}/${name}`;
  if (own !== key) throw new Error(`"key" must be namespace and name of the object: ${JSON.stringify(own)}`);
  if (typeof uid !== "string" || uid === "") throw new Error("metadata.uid must be a string");
  for (const [field, value] of Object.entries({ labels, annotations })) {
    const isMap = isObject(value) && Object.values(value).every((one) => typeof one === "string");
    if (value !== undefined && !isMap) throw new Error(`metadata.${field} must be an object of strings`);
  }
  for (const [field, value] of Object.entries({ ownerReferences, managedFields })) {
    const isList = Array.isArray(value) && value.every(isObject);
    if (value !== undefined && !isList) throw new Error(`metadata.${field} must be a list of objects`);
  }
  const isList = Array.isArray(finalizers) && finalizers.every((finalizer) => typeof finalizer === "string");
  if (finalizers !== undefined && !isList) throw new Error("metadata.finalizers must be a list of strings");
  for (const [field, value] of Object.entries({ creationTimestamp, deletionTimestamp })) {
    const isTime = typeof value === "string" && !Number.isNaN(Date.parse(value));
    const isRequired = field === "creationTimestamp";
    if ((isRequired || value !== undefined) && !isTime) throw new Error(`metadata.${field} must be a time`);
  }
  return object;
}

/** Checks the revisions of records in the order of their lines. */
export class RevisionOrder {
  /** The greatest revision so far. */
  newest = 0;
  /** The revisions before the line that ends the beginning of a file, whose records have no order. */
  #first: Set<number> | undefined = new Set();
  #disorder: { line: number; revision: number; before: number } | undefined;

  /**
   * Checks the next record.
   *
   * @param record - the record
   * @param line - the number of its line
   * @throws Error with the rule that it breaks
   */
  add({ collection, revision }: JournalRecord, line: number): void {
    const before = this.newest;
    this.newest = Math.max(before, revision);
    if (collection === "") {
      if (revision < before) throw new Error(`"revision" must be at least ${before}, that of an earlier line`);
      this.#first = undefined;
      this.#disorder = undefined;
      return;
    }
    if (this.#first?.has(revision)) throw new Error(`"revision" must not be ${revision}, that of an earlier line`);
    this.#first?.add(revision);
    if (revision > before) return;
    this.#disorder ??= { line, revision, before };
    if (this.#first === undefined)
      throw new Error(`"revision" must be greater than ${before}, that of an earlier line`);
  }

  /** The first record with a wrong revision, once all are added. */
  get problem(): { line: number; rule: string } | undefined {
    if (this.#disorder === undefined) return undefined;
    const { line, before } = this.#disorder;
    return { line, rule: `"revision" must be greater than ${before}, that of an earlier line` };
  }
}

function parseObject(text: string, rule: string): { [key: string]: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The message of JSON.parse quotes the text, which may contain secrets.
  }
  if (!isObject(value)) throw new Error(rule);
  return value;
}
