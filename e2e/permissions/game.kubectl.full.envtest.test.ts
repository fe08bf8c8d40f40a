// Runs the Game of the docs with the permissions of its markers; permissions.full.test.ts tests the other golden
// projects.
import { game } from "./operators.ts";
import { testPermissions, withKustomize } from "./permissions.ts";

testPermissions(game, withKustomize);
