/** Options of the recording of a manager's work. */
export interface InspectOptions {
  /**
   * Address that serves the records, such as `:8082`. It must be on the loopback interface, which is the default; use
   * `kubectl port-forward` to reach it in a cluster. `"0"` disables it.
   *
   * @defaultValue "0"
   */
  bindAddress?: string;
  /**
   * Token that requests for the records need, as `Authorization: Bearer TOKEN`: at least 16 characters. The environment variable
   * `KUBEWRIGHT_INSPECT_TOKEN` sets it, too.
   *
   * @defaultValue a random token, which the manager logs when it starts
   */
  token?: string;
  /**
   * Number of reconciles that are kept.
   *
   * @defaultValue 1000
   */
  reconciles?: number;
  /**
   * Number of admission requests that are kept.
   *
   * @defaultValue 200
   */
  admissions?: number;
  /**
   * Limit for the last states of objects, from which changes are computed, in characters of JSON.
   *
   * @defaultValue 33554432
   */
  objectsSize?: number;
}
