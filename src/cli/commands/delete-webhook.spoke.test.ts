import { expect, it } from "vitest";
import { createApi, initProject } from "../../scaffold/test-support/game.ts";
import { snapshot, testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";

it("delete api keeps a version until the conversion webhook that uses it is deleted", async () => {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  await createApi(root, { version: "v2", controller: false });
  const before = snapshot(root);
  const game = (version: string) => ["--group", "myapp", "--version", version, "--kind", "Game"];
  const conversion = [...game("v1"), "--conversion"];
  expect(await runCli(root, ["create", "webhook", ...conversion, "--spoke", "v2"])).toMatchObject({ code: 0 });

  const there = snapshot(root);
  expect(await runCli(root, ["delete", "api", ...game("v2")])).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "error: Game v2 can't be deleted: the conversion to v1 needs its types; delete the conversion first\n" +
      "  hint: npx scaffold delete webhook --group myapp --version v1 --kind Game --conversion\n",
  });
  expect(snapshot(root)).toEqual(there);

  expect(await runCli(root, ["delete", "webhook", ...conversion])).toMatchObject({ code: 0 });
  expect(snapshot(root)).toEqual(before);
  expect(await runCli(root, ["delete", "api", ...game("v2")])).toMatchObject({ code: 0 });
});
