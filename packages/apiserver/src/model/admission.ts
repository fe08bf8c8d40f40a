import type { JsonObject } from "@kubewright/cel/json";
import type { UserInfo } from "./request.ts";
import type { ApiObject, ResourceType, ServedVersion } from "./resource.ts";

/** A write that admission decides about. */
export interface AdmissionAttributes {
  operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  type: ResourceType;
  version: ServedVersion;
  subresource: string;
  namespace: string;
  name: string;
  /** The new object; undefined for deletions. Mutating admission may replace its content. */
  object: ApiObject | undefined;
  oldObject: ApiObject | undefined;
  /** The options of the request, with `apiVersion` and `kind`. */
  options: JsonObject;
  dryRun: boolean;
  user: UserInfo;
  /** Returns the milliseconds in which the request must be answered; not positive if it is too late. */
  timeLeft: () => number;
  /** Adds a warning to the response. */
  warn: (message: string) => void;
}

/** Decides about writes after they are authorized. */
export interface Admission {
  /**
   * Lets plugins change the object.
   *
   * @returns the object, possibly another one
   * @throws StatusError if the write is refused
   */
  mutate(attributes: AdmissionAttributes): Promise<ApiObject | undefined>;
  /**
   * Lets plugins refuse the write.
   *
   * @throws StatusError if the write is refused
   */
  validate(attributes: AdmissionAttributes): Promise<void>;
}
