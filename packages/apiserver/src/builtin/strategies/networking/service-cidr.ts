import { type FieldError, invalidValue, parseCIDR, required } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { canonicalRangeErrors } from "../core/addresses.ts";
import { fieldsOf, textsOf } from "../fields/fields.ts";

const path = "spec.cidrs";
const fixed = "field is immutable";

/** The rules of ServiceCIDRs: an update can only add a range of the other version of the Internet Protocol. */
export const serviceCIDR: Strategy = {
  validate: (object) => rangeListErrors(rangesOf(object)),
  validateUpdate(object, old, { subresource }) {
    if (subresource === "status") return [];
    const [now, before] = [rangesOf(object), rangesOf(old)];
    const first = now[0] === before[0] ? [] : [invalidValue(`${path}[0]`, now[0] ?? "", fixed)];
    if (before.length === now.length) {
      return now.flatMap((range, index) =>
        range === before[index] ? [] : [invalidValue(`${path}[${index}]`, range, fixed)],
      );
    }
    if (before.length === 1 && now.length === 2) return [...first, ...rangeListErrors(now)];
    return [invalidValue(path, fieldsOf(object.spec).cidrs ?? null, fixed)];
  },
};

function rangesOf(object: ApiObject): string[] {
  return textsOf(fieldsOf(object.spec).cidrs);
}

function rangeListErrors(ranges: readonly string[]): FieldError[] {
  if (ranges.length === 0) return [required(path, "at least one CIDR required")];
  if (ranges.length > 2) return [invalidValue(path, { CIDRs: [...ranges] }, "may only hold up to 2 values")];
  const errors = ranges.flatMap((range, index) => canonicalRangeErrors(range, `${path}[${index}]`));
  const [first, second] = ranges.map((range) => parseCIDR(range, true)?.address.length);
  if (ranges.length === 2 && first !== undefined && first === second) {
    const detail = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
    errors.push(invalidValue(path, [...ranges], detail));
  }
  return errors;
}
