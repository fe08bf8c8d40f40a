// The Game of the docs with what its markers give it; permissions.full.test.ts has the other golden projects.
import { game } from "./operators.ts";
import { testPermissions, withKustomize } from "./permissions.ts";

testPermissions(game, withKustomize);
