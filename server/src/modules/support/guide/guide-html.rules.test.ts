import { marked } from "marked";
import { expect, test } from "vitest";
import { guideHtml, type Places } from "./guide-html.ts";

const picture = { name: "here", path: "/here.png", version: "1", width: 640, height: 400 };
const places: Places = {
  pictures: new Map([["here", picture]]),
  addressOf: ({ name }) => `/pictures?name=${name}&version=1`,
  pageAddress: (name, part) => `/support?tutorial=${name}${part}`,
};
const htmlOf = (markdown: string): string => guideHtml(marked.lexer(markdown), places);

test.each([
  ["a tag in a line", "a <b onclick=x()>b</b>", "<p>a &lt;b onclick=x()&gt;b&lt;/b&gt;</p>\n"],
  ["a script", "<script>x()</script>", "&lt;script&gt;x()&lt;/script&gt;"],
  ["code", "`<i>`", "<p><code>&lt;i&gt;</code></p>\n"],
  ["a link that runs", "[x](javascript:alert(1))", "<p>x</p>\n"],
  ["data as a link", "[x](data:text/html,x)", "<p>x</p>\n"],
  ["a picture from elsewhere", "![x](https://elsewhere.example/x.png)", "<p>x</p>\n"],
  ["a quote in an attribute", '![a " b](images/here.png)', expect.stringContaining('alt="a &quot; b"')],
])("%s stays text", (_what, markdown, expected) => {
  expect(htmlOf(markdown)).toEqual(expected);
});

test("pages are led to within the console, what is elsewhere in a tab of its own", () => {
  expect(htmlOf("[x](roles.md#support)")).toContain('<a href="/support?tutorial=roles#support">x</a>');
  expect(htmlOf("[x](https://example.com/)")).toContain('target="_blank" rel="noopener"');
});

test("headings stand below the screen's own, and can be led to", () => {
  expect(htmlOf("## Who is notified\n\n### At night")).toContain(
    '<h3 id="who-is-notified">Who is notified</h3>\n<h4 id="at-night">',
  );
});

test("pictures say how large they are, so that the text does not jump when they come", () => {
  expect(htmlOf("![x](images/here.png)")).toContain(
    'src="/pictures?name=here&amp;version=1" alt="x" width="640" height="400"',
  );
});

test("tables and codes that are wider than the screen can be scrolled by key", () => {
  expect(htmlOf("| a | b |\n|---|---|\n| 1 | 2 |")).toContain(
    '<div role="region" tabindex="0" aria-label="a, b"><table>',
  );
  expect(htmlOf("```\nx\n```")).toContain('<pre tabindex="0">');
});
