// Builds the documentation site, for which VitePress rejects dead links and invalid Vue syntax, and tests the search
// and the pages in a browser.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redirects } from "../../docs/.vitepress/redirects.ts";
import { searchOptions } from "../../docs/.vitepress/search.ts";
import { definitions } from "../../src/diagnostics/definitions/index.ts";
import { errorSections } from "../../src/diagnostics/errors/index.ts";
import { bin, run } from "../lib/run.mjs";
import { checkPage, collectErrors, openBrowser, themes } from "../test-support/browser.ts";
import { allPages, root } from "./pages.ts";
import { pastedErrors } from "./pasted-errors.ts";
import { firstHits, queries } from "./queries.ts";
import { webhookErrors } from "./webhook-errors.ts";

const site = join(root, "docs/.vitepress/dist");
const pages = allPages().filter(({ path }) => path.startsWith("docs/"));
const htmlOf = (path: string): string => path.slice("docs/".length).replace(/\.md$/, ".html");

beforeAll(async () => {
  const { code, output } = await run(process.execPath, [join(root, "scripts/docs/site.mjs"), "build"]);
  expect(output).not.toContain("dead link");
  expect(code, output).toBe(0);
});

it("the site has a page for each file", () => {
  expect(pages.map(({ path }) => htmlOf(path)).filter((page) => !existsSync(join(site, page)))).toEqual([]);
});

it("the configuration type-checks", async () => {
  const { code, output } = await run(process.execPath, [bin("typescript-native", "bin/tsc"), "-p", "docs"]);
  expect(code, output).toBe(0);
});

it("each page has a description and an existing picture for search engines and previews", () => {
  const wrong = pages.filter(({ path }) => {
    const html = readFileSync(join(site, htmlOf(path)), "utf8");
    return !["og:title", "og:description", "og:image", "canonical"].every((name) => html.includes(`"${name}"`));
  });
  expect(wrong.map(({ path }) => path)).toEqual([]);
  expect(existsSync(join(site, "og.png"))).toBe(true);
  expect(readFileSync(join(site, "sitemap.xml"), "utf8")).toContain("/troubleshooting.html");
});

it("each page leads to its Markdown and to llms.txt, and each old address to its page", () => {
  const wrong = pages.filter(({ path }) => {
    const html = readFileSync(join(site, htmlOf(path)), "utf8");
    const markdown = path.slice("docs/".length);
    const alternate = new RegExp(`<link rel="alternate" type="text/markdown" href="https:[^"]*/${markdown}">`);
    return !existsSync(join(site, markdown)) || !alternate.test(html) || !/rel="describedby"[^>]*llms\.txt"/.test(html);
  });
  expect(wrong.map(({ path }) => path)).toEqual([]);
  for (const file of ["llms.txt", "llms-full.txt"])
    expect(readFileSync(join(site, file), "utf8")).toMatch(/kubewright/);
});

it("the address of each page that has moved leads to the new one", () => {
  for (const [from, to] of Object.entries(redirects))
    expect(readFileSync(join(site, `${from}.html`), "utf8")).toContain(`/${to}.html"`);
});

describe("the search", () => {
  interface Result {
    readonly id: string;
  }
  let search: (query: string) => string[];

  beforeAll(async () => {
    const chunks = join(site, "assets/chunks");
    const name = readdirSync(chunks).find((name) => name.startsWith("@localSearchIndexroot"));
    const { default: index } = await import(pathToFileURL(join(chunks, name ?? "")).href);
    const { default: MiniSearch } = await import(
      pathToFileURL(createRequire(join(root, "docs/package.json")).resolve("minisearch")).href
    );
    // The same options as in the search box of VitePress.
    const defaults = { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } };
    const fields = { fields: ["title", "titles", "text"], storeFields: ["title", "titles"] };
    const loaded = MiniSearch.loadJSON(index, {
      ...fields,
      searchOptions: { ...defaults, ...searchOptions.miniSearch.searchOptions },
    });
    search = (query) => loaded.search(query).map(({ id }: Result) => id.replace(/^.*?\/(?=\w)/, ""));
  });

  /** Returns the pages of the results that are visible without scrolling, each once. */
  const firstPages = (query: string): string[] => {
    const pages = search(query).map((id) => id.replace(/\.html.*|#.*/, ""));
    return [...new Set(pages)].slice(0, 5);
  };

  it("is tested with at least 60 queries, whose pages exist", () => {
    expect(queries.length).toBeGreaterThanOrEqual(60);
    expect(firstHits.length).toBeGreaterThanOrEqual(85);
    const missing = [...queries, ...firstHits].flatMap(([, ...expected]) =>
      expected.filter((page) => !existsSync(join(site, `${page}.html`))),
    );
    expect(missing).toEqual([]);
  });

  it.each(queries)("finds a page for %s", (query, ...expected) => {
    const pages = firstPages(query);
    expect(
      pages.some((page) => expected.includes(page)),
      `found ${pages.join(", ")}`,
    ).toBe(true);
  });

  it.each(firstHits)("has the page first for %s", (query, ...expected) => {
    const [first] = firstPages(query);
    expect(expected, `found ${firstPages(query).join(", ")}`).toContain(first);
  });

  it.each(webhookErrors)("finds the cause of a pasted error of a webhook: %s", (_situation, message, section) => {
    expect(search(message).slice(0, 3)).toContain(`troubleshooting.html#${section}`);
  });

  it.each(pastedErrors)("finds the cause of a pasted error: %s", (message, section) => {
    expect(search(message).slice(0, 3)).toContain(`troubleshooting.html#${section}`);
  });

  const ids = [
    ...Object.keys(definitions).map((id) => ["diagnostics", id] as const),
    ...errorSections.flatMap(([, entries]) => Object.keys(entries).map((id) => ["errors", id] as const)),
  ];

  it("finds the section of each diagnostic and each error", () => {
    const missing = ids.filter(([page, id]) => !search(id).slice(0, 12).includes(`reference/${page}.html#${id}`));
    expect(missing).toEqual([]);
  });
});

/** Returns what Lighthouse would find in the current page, apart from accessibility and speed. */
const defects = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  return [
    ...(all("h1").length === 1 ? [] : ["it needs one h1"]),
    ...(all('meta[name="description"][content]').length === 1 ? [] : ["it needs one description"]),
    ...(all('meta[name="viewport"], html[lang], head > title').length === 3 ? [] : ["it needs a viewport, a language and a title"]),
    ...all("head script[src]:not([type=module]):not([async]):not([defer])").map(({ src }) => "blocks rendering: " + src),
    ...all(".vp-doc img:not([width][height][alt])").map(({ src }) => "lacks its size or text: " + src),
  ];
})()`;

describe("the site in a browser", () => {
  const origin = "http://site.test";
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  /** Opens a window that reads the site from its files. */
  const open = async (width: number, colorScheme: "light" | "dark"): Promise<[BrowserContext, Page]> => {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme,
      reducedMotion: "reduce",
    });
    await context.route(`${origin}/**`, (route) =>
      route.fulfill({ path: join(site, decodeURI(new URL(route.request().url()).pathname)) }),
    );
    return [context, await context.newPage()];
  };

  it("shows each page at 360 px without horizontal scrolling and errors", async () => {
    const [context, page] = await open(360, "light");
    const errors = collectErrors(page);
    page.on("request", (request) => {
      if (!/^(data:|http:\/\/site\.test\/)/.test(request.url())) errors.push(`requests ${request.url()}`);
    });
    const wrong: string[] = [];
    for (const { path } of pages) {
      await page.goto(`${origin}/${htmlOf(path)}`);
      const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
      if (overflow !== 0) wrong.push(`${path}: ${overflow} px`);
      wrong.push(...(await page.evaluate<string[]>(defects)).map((defect) => `${path}: ${defect}`));
      wrong.push(...errors.splice(0).map((error) => `${path}: ${error}`));
    }
    await context.close();
    expect(wrong).toEqual([]);
  });

  it("doesn't move what a reader sees while a page loads", async () => {
    for (const width of [1280, 360]) {
      const [context, page] = await open(width, "light");
      await page.addInitScript(`
        window.shift = 0;
        new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { window.shift += value; }))
          .observe({ type: "layout-shift", buffered: true });
      `);
      for (const name of [...checked, ...references]) {
        await page.goto(`${origin}/${name}.html`, { waitUntil: "load" });
        // The class is set after hydration.
        await page.locator(".VPNavBar.top").waitFor();
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
        expect(await page.evaluate("window.shift"), `${name}, ${width} px`).toBeLessThan(0.01);
      }
      await context.close();
    }
  });

  const checked = ["index", "quick-start", "tutorials/game", "concepts/reconciling", "guides/develop"];
  const references = ["reference/cli", "reference/metrics", "reference/runtime/manager", "troubleshooting"];

  // Best practices beyond the standards and the search button are those of VitePress.
  const standards = {
    tags: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    exclude: [".DocSearch-Button"],
  };

  it.each(themes)("is accessible in the %s theme", async (theme) => {
    for (const width of [1280, 360]) {
      const [context, page] = await open(width, theme);
      for (const name of [...checked, ...references]) {
        await page.goto(`${origin}/${name}.html`);
        await checkPage(page, `${name}, ${width} px, ${theme}`, standards);
      }
      await context.close();
    }
  });

  it.each([1280, 360])("shows the heading of a link in a long page, at %i px", async (width) => {
    const [context, page] = await open(width, "light");
    const address = `${origin}/reference/runtime/client.html`;
    await page.goto(address);
    const ids = await page.locator(".vp-doc :is(h2, h3)").evaluateAll((all) => all.map(({ id }) => id));
    const samples = ids.filter((_, index) => index % 20 === 15);
    expect(samples.length).toBeGreaterThan(3);
    for (const id of samples) {
      await page.evaluate(`
          const link = Object.assign(document.createElement("a"), { href: "#${id}" });
          document.body.append(link);
          link.click();
          link.remove();
        `);
      // The heading is below the navigation, and close to it.
      await expect
        .poll(() => page.locator(`[id="${id}"]`).evaluate((heading) => heading.getBoundingClientRect().top), {
          message: id,
        })
        .toSatisfy((top) => top > 50 && top < 200);
    }
    await context.close();
  });

  // Lighthouse's rating of a slow phone depends on the machine. The size of a page, and the work of loading it, don't.
  it.each(["index", "tutorials/game", "reference/markers"])(
    "loads at most 130 KiB and no font for %s",
    async (name) => {
      const [context, page] = await open(360, "light");
      const files = new Set<string>();
      page.on("request", (request) => files.add(decodeURI(new URL(request.url()).pathname)));
      await page.goto(`${origin}/${name}.html`, { waitUntil: "load" });
      const loaded = [...files].filter((file) => existsSync(join(site, file)));
      await context.close();
      expect(loaded.length).toBeGreaterThan(4);
      expect(loaded.filter((file) => file.endsWith(".woff2"))).toEqual([]);
      const sizes = loaded.map((file) => gzipSync(readFileSync(join(site, file))).length);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(130 * 1024);
    },
  );

  it.each(["index", "tutorials/game", "reference/markers", "reference/runtime/client"])(
    "creates few components and elements for %s, and each style once",
    async (name) => {
      const [context, page] = await open(360, "light");
      // Browsers calculate all styles again if a script sets the page's language or direction to the same value.
      await page.addInitScript(`
        window.setAgain = [];
        new MutationObserver((changes) => {
          for (const { target, attributeName, oldValue } of changes)
            if (target.getAttribute(attributeName) === oldValue) window.setAgain.push(attributeName);
        }).observe(document, { subtree: true, attributeOldValue: true, attributeFilter: ["lang", "dir"] });
      `);
      await page.goto(`${origin}/${name}.html`, { waitUntil: "load" });
      // The components of the first task, without those that hydrate later (hydrate-late.ts).
      const components = (): Promise<number> =>
        page.evaluate(`(() => {
          const count = (node) =>
            Array.isArray(node) ? node.reduce((sum, each) => sum + count(each), 0)
            : node?.type?.name === "AsyncComponentWrapper" ? 1
            : node?.component ? 1 + count(node.component.subTree)
            : typeof node?.children === "string" ? 0
            : node?.children ? count(node.children) : 0;
          return count(document.querySelector("#app")._vnode);
        })()`);
      await expect.poll(components).toBeGreaterThan(20);
      expect(await components()).toBeLessThanOrEqual(60);
      expect(await page.evaluate("document.getElementsByTagName('*').length")).toBeLessThan(5000);
      expect(await page.evaluate("window.setAgain")).toEqual([]);
      await context.close();
    },
  );

  it("reacts to readers after it has loaded", async () => {
    const [context, page] = await open(1280, "light");
    await page.goto(`${origin}/tutorials/game.html`);
    const group = page.locator(".sidebar-groups details", { hasText: "Guides" }).first();
    const current = page.locator(".sidebar-groups a[aria-current]");
    await expect.poll(() => current.allTextContents()).toHaveLength(1);
    await expect.poll(() => current.evaluate((link) => link.getBoundingClientRect().bottom)).toBeLessThan(800);
    await group.locator("summary", { hasText: "Controllers" }).click();
    await group.locator("details[open] a").first().click();
    await page.waitForURL(/guides\/develop/);
    // The group stays open, and marks the new page.
    await expect
      .poll(() => page.locator(".sidebar-groups a[aria-current]:visible").getAttribute("href"))
      .toMatch(/develop/);
    await page.getByRole("switch").first().click();
    await expect.poll(() => page.evaluate("document.documentElement.className")).toContain("dark");
    await page.locator(".VPNavBarSearch button").click();
    await page.locator(".VPLocalSearchBox input").fill("finalizer");
    await expect.poll(() => page.locator(".VPLocalSearchBox .result").count()).toBeGreaterThan(2);
    await context.close();
  });

  it("shows tables with two columns completely beside the outline", async () => {
    const [context, page] = await open(1280, "light");
    for (const name of ["guides/coming-from-kubebuilder", "reference/cli", "guides/webhooks"]) {
      await page.goto(`${origin}/${name}.html`);
      const widths = await page
        .locator(".vp-doc table")
        .evaluateAll((tables) =>
          tables
            .filter((table) => table.querySelectorAll("tr:first-child > :is(th, td)").length === 2)
            .map((table) => table.scrollWidth - table.clientWidth),
        );
      expect(Math.max(0, ...widths), name).toBeLessThanOrEqual(1);
    }
    await context.close();
  });

  it("shows the picture of the theme", async () => {
    for (const theme of themes) {
      const [context, page] = await open(1280, theme);
      await page.goto(`${origin}/guides/develop.html`);
      const shown = await page
        .locator(".picture img:visible")
        .evaluateAll((all) => all.map((each) => each.getAttribute("src")));
      expect(shown.length).toBeGreaterThan(1);
      expect(shown.filter((src) => !src?.endsWith(`-${theme}.png`))).toEqual([]);
      await context.close();
    }
  });

  it.each(themes)(
    "draws the chart of the benchmarks in readable colors on the background of the %s theme",
    async (theme) => {
      // Another theme than that of the system: the reader has switched it.
      const [context, page] = await open(1280, theme === "dark" ? "light" : "dark");
      await page.addInitScript(`localStorage.setItem("vitepress-theme-appearance", "${theme}")`);
      await page.goto(`${origin}/reference/benchmarks.html`);
      const luminance = (color: string): number => {
        const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((value) => {
          const part = Number(value) / 255;
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const ground = luminance(await page.evaluate<string>("getComputedStyle(document.body).backgroundColor"));
      expect(ground > 0.5).toBe(theme === "light");
      const fills = (selector: string): Promise<string[]> =>
        page.evaluate(
          `[...document.querySelectorAll(".chart ${selector}")].map((each) => getComputedStyle(each).fill)`,
        );
      for (const [selector, least] of [
        ["text", 4.5],
        ["rect", 3],
      ] as const) {
        const contrasts = (await fills(selector)).map((color) => {
          const [darker = 0, lighter = 0] = [luminance(color), ground].sort((a, b) => a - b);
          return (lighter + 0.05) / (darker + 0.05);
        });
        expect(contrasts.length).toBeGreaterThanOrEqual(6);
        expect(Math.min(...contrasts), selector).toBeGreaterThanOrEqual(least);
      }
      await context.close();
    },
  );

  it("shows the same tab in both panels of the landing page", async () => {
    const [context, page] = await open(1280, "light");
    await page.goto(`${origin}/index.html`);
    await page.locator(".panels label", { hasText: "Webhook" }).first().click();
    await expect(page.locator(".panels input:checked + label").allTextContents()).resolves.toEqual([
      "Webhook",
      "Webhook configuration",
    ]);
    await context.close();
  });
});
