// Runs the other golden projects with the permissions of their markers.
import { describe } from "vitest";
import { multigroup, webhooks } from "./operators.ts";
import { testPermissions, withKustomize } from "./permissions.ts";
import { selfManaged } from "./self.ts";

describe("webhooks", () => testPermissions(webhooks, withKustomize));
describe("multigroup, in one namespace", () => testPermissions(multigroup, withKustomize));
describe("webhooks that create their certificates", () => testPermissions(selfManaged, withKustomize));
