/** A change that an upgrade makes without faults. */
export interface UpgradeChange {
  /** The test file, empty if it is unknown. */
  file: string;
  /** The name of the test, empty if it is unknown. */
  test: string;
  /** The name of the old version. */
  from: string;
  /** The kind of the object. */
  kind: string;
  /** Empty for objects without a namespace. */
  namespace: string;
  /** The name of the object. */
  name: string;
  /** The change of the object: of its fields or as a whole. */
  action: "created" | "changed" | "replaced" | "deleted";
  /** The field that changes, empty for other actions. */
  path: string;
  /** The value before. `null` if there was none. Values of Secrets are `(hidden)`. */
  before: unknown;
  /** The value after. `null` if there is none. Values of Secrets are `(hidden)`. */
  after: unknown;
  /** The reason why the change is allowed, otherwise `null`. */
  allowed: string | null;
}
