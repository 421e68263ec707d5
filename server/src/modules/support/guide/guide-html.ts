import GithubSlugger from "github-slugger";
import { Marked, type Token, type Tokens } from "marked";
import type { GuidePicture } from "./pictures.ts";

/** Targets of a page's links and pictures. */
export interface Places {
  pictures: ReadonlyMap<string, GuidePicture>;
  addressOf(picture: GuidePicture): string;
  /** Address of a guide page in the console. */
  pageAddress(name: string, part: string): string;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

/** Parses a link to a page `name.md#part` of the guide; undefined for other links. */
const ownPage = (href: string): [name: string, part: string] | undefined => {
  const found = /^([\w-]+)\.md(#.*)?$/.exec(href);
  return found ? [found[1] ?? "", found[2] ?? ""] : undefined;
};

const linkHtml = (href: string, inner: string, places: Places): string => {
  const own = ownPage(href);
  if (own) return `<a href="${escaped(places.pageAddress(...own))}">${inner}</a>`;
  if (href.startsWith("#")) return `<a href="${escaped(href)}">${inner}</a>`;
  if (/^https?:\/\//.test(href)) return `<a href="${escaped(href)}" target="_blank" rel="noopener">${inner}</a>`;
  return inner;
};

const pictureHtml = (href: string, text: string, places: Places): string => {
  const picture = places.pictures.get(/^images\/([\w-]+)\.png$/.exec(href)?.[1] ?? "");
  if (!picture) return escaped(text);
  const size = `width="${picture.width}" height="${picture.height}"`;
  return `<img src="${escaped(places.addressOf(picture))}" alt="${escaped(text)}" ${size} loading="lazy">`;
};

/** Accessible name of a table: the names of its columns. */
const tableName = ({ header }: Tokens.Table): string =>
  header
    .map(({ text }) => text)
    .filter(Boolean)
    .join(", ");

/** Converts the guide's Markdown to HTML. HTML tags in the text are escaped. */
export const guideHtml = (tokens: Token[], places: Places): string => {
  const slugger = new GithubSlugger();
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escaped(text),
      heading({ tokens: inner, depth, text }) {
        return `<h${depth + 1} id="${escaped(slugger.slug(text))}">${this.parser.parseInline(inner)}</h${depth + 1}>\n`;
      },
      link({ href, tokens: inner }) {
        return linkHtml(href, this.parser.parseInline(inner), places);
      },
      image: ({ href, text }) => pictureHtml(href, text, places),
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      table(token) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens: inner }) => `<${tag}>${this.parser.parseInline(inner)}</${tag}>`).join("")}</tr>`;
        const body = token.rows.map((cells) => row(cells, "td")).join("");
        const table = `<table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table>`;
        return `<div role="region" tabindex="0" aria-label="${escaped(tableName(token) || "Table")}">${table}</div>\n`;
      },
    },
  });
  return marked.parser(tokens);
};
