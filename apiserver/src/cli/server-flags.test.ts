import { expect, it } from "vitest";
import { ServerFlags } from "./server-flags.ts";

const parse = (...args: string[]) => {
  const ignored: string[] = [];
  return { flags: new ServerFlags(args, new Set(["data-dir", "urls"]), (name) => ignored.push(name)), ignored };
};

it("reads values after a space and after an equals sign", () => {
  const { flags } = parse("--data-dir", "a b", "--urls=x,y", "--urls=z");
  expect(flags.text("data-dir")).toBe("a b");
  expect(flags.list("urls")).toEqual(["x", "y", "z"]);
});

it("reports flags that it ignores", () => {
  expect(parse("--other", "--data-dir=x").ignored).toEqual(["other"]);
});

it.each(["-h", "--help"])("prints one flag per line for %s, because test environments search for them", (flag) => {
  const { flags, ignored } = parse(flag);
  expect(flags.help("etcd")).toMatch(/^Usage:\n {2}etcd \[flags\]\n[\s\S]*^ {2}--data-dir\n {2}--urls\n$/m);
  expect(ignored).toEqual([]);
});

it("prints no help for other arguments", () => {
  expect(parse("--data-dir=x").flags.help("etcd")).toBeUndefined();
});
