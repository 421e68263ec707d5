// Checks that every relative link, anchor and picture of README, CONTRIBUTING, CHANGELOG and docs exists, and that every page and picture of the
// guide is linked.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import GithubSlugger from "github-slugger";
import { marked } from "marked";
import { root } from "./place.mjs";

const markdownUnder = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join(folder, file));

/** A page's links with their line numbers, and its anchors. */
const pageOf = (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const slugger = new GithubSlugger();
  const [links, anchors] = [[], new Set()];
  void marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === "link" || token.type === "image") links.push(token.href);
    if (token.type === "heading") anchors.add(slugger.slug(token.text));
  });
  const lineOf = (href) => text.slice(0, text.indexOf(`](${href}`)).split("\n").length;
  return { anchors, links: links.map((href) => ({ href, line: lineOf(href) })) };
};

const files = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...markdownUnder("docs")];
const pages = new Map(files.map((file) => [file, pageOf(file)]));
const reached = new Set();

const complaintOf = (file, href) => {
  if (/^(https?|mailto):/.test(href)) return undefined;
  const [path, anchor] = href.split("#", 2);
  const target = path === "" ? file : normalize(join(dirname(file), decodeURIComponent(path)));
  if (relative(root, join(root, target)).startsWith("..") || !existsSync(join(root, target))) return "is not there";
  if (target !== file) reached.add(target);
  return anchor && !pages.get(target)?.anchors.has(anchor) ? "has no such heading" : undefined;
};

const offences = [...pages].flatMap(([file, { links }]) =>
  links.flatMap(({ href, line }) => {
    const complaint = complaintOf(file, href);
    return complaint ? [`${file}:${line}  ${href} ${complaint}`] : [];
  }),
);
const guide = readdirSync(join(root, "docs/guide"), { recursive: true })
  .filter((file) => /\.(md|png)$/.test(file))
  .map((file) => join("docs/guide", file));
const unreached = guide.filter((file) => !reached.has(file)).map((file) => `${file}:1  nothing leads to it`);

for (const offence of [...offences, ...unreached]) console.error(offence);
process.exitCode = offences.length + unreached.length > 0 ? 1 : 0;
