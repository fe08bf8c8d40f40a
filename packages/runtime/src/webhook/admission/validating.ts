import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import { decodeObject } from "./decode.ts";
import { allowed, errored, withWarnings } from "./response.ts";
import type { AdmissionHandler, ValidationResult, Validator } from "./types.ts";

/**
 * Creates an admission handler from a validator. Connections such as `exec` and `attach` are allowed, because they have
 * no object to validate.
 *
 * @param kind - the kind of the objects
 * @param validator - validates the objects
 * @returns the handler
 */
export function validatorHandler<T extends KubernetesObject>(kind: Kind<T>, validator: Validator<T>): AdmissionHandler {
  return {
    async handle(ctx, request) {
      let result: ValidationResult;
      switch (request.operation) {
        case "CONNECT":
          break;
        case "CREATE":
          result = await validator.validateCreate(ctx, decodeObject(kind, request, "object"));
          break;
        case "UPDATE": {
          const object = decodeObject(kind, request, "object");
          result = await validator.validateUpdate(ctx, decodeObject(kind, request, "oldObject"), object);
          break;
        }
        case "DELETE":
          // API servers send the deleted object as the old object.
          result = await validator.validateDelete(ctx, decodeObject(kind, request, "oldObject"));
          break;
        default:
          return errored(400, new Error(`unknown operation ${JSON.stringify(request.operation ?? "")}`));
      }
      return Array.isArray(result) ? withWarnings(allowed(), ...result.map(String)) : allowed();
    },
  };
}
