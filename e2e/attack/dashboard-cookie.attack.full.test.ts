// A page of another server on this machine, in the browser that uses the dashboard of `scaffold dev`.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { collectErrors, openBrowser } from "../../scripts/test-support/browser.ts";
import { Dev, gameProject } from "../dev/dev-session.ts";
import { send } from "../dev/requests.ts";

let dev: Dev;
let browser: Browser;
let page: Page;
let errors: string[];
let url: string;

beforeAll(async () => {
  browser = await openBrowser();
  dev = new Dev(await gameProject());
  const ready = await dev.event("ready");
  page = await (await browser.newContext()).newPage();
  errors = collectErrors(page);
  await page.goto(String(ready.dashboard));
  await page.getByText("game-sample").first().waitFor();
  url = new URL(page.url()).origin;
});
afterAll(async () => {
  await browser?.close();
  await dev?.remove();
});

it("another server receives the dashboard's cookie, and can't use it", async ({ task }) => {
  const received: IncomingMessage["headers"][] = [];
  const other = createServer((request, response) => {
    received.push(request.headers);
    response.writeHead(200, { "content-type": "text/html" }).end("<title>other</title>");
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const tab = await page.context().newPage();
  try {
    await tab.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const cookie = received.find((headers) => headers.cookie)?.cookie ?? "";
    expect(cookie).toContain("kubewright-dev=");
    expect(received.some((headers) => "x-kubewright-key" in headers)).toBe(false);
    const yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: stolen\n";
    const requests = [
      { method: "POST", path: "/api/apply", body: JSON.stringify({ yaml }) },
      { method: "POST", path: "/api/link", body: "{}" },
      { method: "GET", path: "/api/objects" },
      { method: "GET", path: "/api/stream" },
    ];
    Object.assign(task.meta, { attempts: requests.length + 2 });
    for (const { path, ...options } of requests) {
      const headers = { cookie, "content-type": "application/json" };
      expect((await send(`${url}${path}`, { ...options, headers })).status, path).toBe(401);
    }
    // The page of the other server has the browser send the cookie itself.
    for (const mode of ["cors", "no-cors"]) {
      const script = `fetch("${url}/api/apply", { method: "POST", mode: "${mode}", credentials: "include", body: "{}" }).then((answer) => answer.status, () => 0)`;
      expect(await tab.evaluate(script)).toBe(0);
    }
  } finally {
    await tab.close();
    other.close();
  }
});

it("the page works after a reload, in another tab, and with a second link; the key isn't in the address", async () => {
  expect(page.url()).toBe(`${url}/`);
  await page.reload();
  await page.getByText("game-sample").first().waitFor();
  const tab = await page.context().newPage();
  await tab.goto(`${url}/#/caches`);
  await tab.locator(".cache").first().waitFor();
  const link = await dev.ask<{ url: string }>("open");
  await tab.goto(link.url);
  await tab.getByText("game-sample").first().waitFor();
  await page.reload();
  await page.locator(".session-state").filter({ hasText: "running" }).waitFor();
  expect(errors).toEqual([]);
});

it("a browser with the cookie alone shows how to get access", async () => {
  const context = await browser.newContext();
  await context.addCookies(await page.context().cookies());
  const tab = await context.newPage();
  await tab.goto(`${url}/`);
  await tab.getByText("npx scaffold dev open").first().waitFor();
  expect(await tab.getByText("game-sample").count()).toBe(0);
  await context.close();
});
