import { describe, expect, it } from "vitest";
import { proxyFromEnvironment } from "./proxy.ts";

const proxied = (url: string, noProxy = ""): boolean =>
  proxyFromEnvironment(new URL(url), { HTTPS_PROXY: "proxy:3128", NO_PROXY: noProxy }) === "http://proxy:3128";

describe("the proxy of the environment", () => {
  it("depends on the scheme of the URL", () => {
    const environment = { HTTP_PROXY: "http://plain:1", https_proxy: "http://secure:2" };
    expect(proxyFromEnvironment(new URL("https://k8s"), environment)).toBe("http://secure:2");
    expect(proxyFromEnvironment(new URL("http://k8s"), environment)).toBe("http://plain:1");
    expect(proxyFromEnvironment(new URL("https://k8s"), {})).toBeUndefined();
  });

  it("isn't used for localhost", () => {
    expect(proxied("https://localhost:6443")).toBe(false);
    expect(proxied("https://127.0.0.1:6443")).toBe(false);
    expect(proxied("https://[::1]:6443")).toBe(false);
    expect(proxied("https://10.0.0.1")).toBe(true);
  });

  it.each([
    ["https://a.example.com", "example.com", false],
    ["https://example.com", "example.com", false],
    ["https://example.com", ".example.com", true],
    ["https://a.example.com", ".example.com", false],
    ["https://a.example.com", "*.example.com", false],
    ["https://example.com", "*.example.com", true],
    ["https://badexample.com", "example.com", true],
    ["https://10.1.2.3", "10.0.0.0/8", false],
    ["https://11.1.2.3", "10.0.0.0/8", true],
    ["https://10.1.2.3", "other, 10.1.2.3", false],
    ["https://a.example.com:6443", "a.example.com:6443", false],
    ["https://a.example.com:6443", "a.example.com:443", true],
    ["https://[fd00::1]:6443", "fd00::/8", false],
    ["https://anything", "*", false],
    ["https://10.1.2.3", "10.0.0.0/99", true],
  ])("is used for %s with NO_PROXY=%s: %s", (url, noProxy, expected) => {
    expect(proxied(url, noProxy)).toBe(expected);
  });
});
