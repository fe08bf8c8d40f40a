import { expect, test } from "vitest";
import { parseUrl } from "./url.ts";

test("parsing a URL returns its parts", () => {
  expect(parseUrl("HTTPS://u:p@host:80/path?query#fragment")).toEqual({
    scheme: "https",
    user: "u:p",
    host: "host:80",
    query: "query",
    fragment: "fragment",
  });
  expect(parseUrl("https://[::1]:80/")).toMatchObject({ host: "[::1]:80", user: undefined });
  expect(parseUrl("mailto:somebody")).toMatchObject({ scheme: "mailto", host: "" });
  expect(parseUrl("/a b")).toMatchObject({ scheme: "", host: "" });
});

test.each([
  [":x", 'parse ":x": missing protocol scheme'],
  ["1:x", 'parse "1:x": first path segment in URL cannot contain colon'],
  ["https://a b", 'parse "https://a b": invalid character " " in host name'],
  ["https://a\nb", 'parse "https://a\\nb": net/url: invalid control character in URL'],
  ["https://a:b", 'parse "https://a:b": invalid port ":b" after host'],
  ["https://a:1:2", 'parse "https://a:1:2": invalid port ":1:2" after host'],
  ["https://a/%zz", 'parse "https://a/%zz": invalid URL escape "%zz"'],
  ["https://a%41", 'parse "https://a%41": invalid URL escape "%41"'],
  ["https://a b@c", 'parse "https://a b@c": net/url: invalid userinfo'],
  ["https://[::1", `parse "https://[::1": missing ']' in host`],
  ["https://x[::1]", 'parse "https://x[::1]": invalid IP-literal'],
  ["https://[1.2.3.4]", 'parse "https://[1.2.3.4]": invalid IP-literal'],
  ["https://[x]", 'parse "https://[x]": invalid host: ParseAddr("x"): unable to parse IP'],
  ["https://[::1%25]", 'parse "https://[::1%25]": invalid host: ParseAddr("::1%"): zone must be a non-empty string'],
  ["https://a#%", 'parse "https://a#%": invalid URL escape "%"'],
])("%j isn't a URL", (text, problem) => {
  expect(parseUrl(text)).toEqual({ problem });
});
