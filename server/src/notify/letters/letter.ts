/** A file that a mail carries. */
export interface Attachment {
  name: string;
  type: string;
  base64: string;
}

/** Content of a mail; the layout follows from it. */
export interface Letter {
  subject: string;
  /** Plain sentences, one paragraph each. */
  paragraphs: string[];
  /** Labelled facts, shown as a small table. */
  facts?: [string, string][];
  /** The main action, shown as a button. */
  action?: { label: string; url: string };
  /** Small print below the button: until when the link works, what to do if the mail was not requested. */
  footnotes?: string[];
  /** Unsubscribe link. */
  leave?: { label: string; url: string };
  attachment?: Attachment;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

/** The letter as plain text. */
export const plainText = ({ paragraphs, facts = [], action, footnotes = [], leave }: Letter): string =>
  [
    ...paragraphs,
    ...(facts.length > 0 ? [facts.map(([name, value]) => `${name}: ${value}`).join("\n")] : []),
    ...[action].flatMap((link) => (link ? [`${link.label}:\n${link.url}`] : [])),
    ...footnotes,
    ...[leave].flatMap((link) => (link ? [`${link.label}:\n${link.url}`] : [])),
    "Telltale",
  ].join("\n\n");

/** The letter's links, in order. */
export const linksOf = ({ action, leave }: Letter): string[] =>
  [action, leave].flatMap((link) => (link ? [link.url] : []));

const font = "font-family:Helvetica,Arial,sans-serif";
const paragraph = (text: string): string =>
  `<p style="margin:0 0 16px;${font};font-size:16px;line-height:24px;color:#1b1f24">${escaped(text)}</p>`;
const footnote = (text: string): string =>
  `<p style="margin:0 0 8px;${font};font-size:13px;line-height:20px;color:#59636e">${escaped(text)}</p>`;
const cell = (text: string, color: string): string =>
  `<td style="padding:2px 16px 2px 0;vertical-align:top;${font};font-size:16px;line-height:24px;color:${color}">${escaped(text)}</td>`;
const factTable = (facts: readonly [string, string][]): string => {
  const rows = facts.map(([name, value]) => `<tr>${cell(name, "#59636e")}${cell(value, "#1b1f24")}</tr>`);
  return `<table role="presentation" style="margin:0 0 24px;border-collapse:collapse">${rows.join("")}</table>`;
};
const smallLink = ({ label, url }: { label: string; url: string }): string =>
  `<p style="margin:0 0 8px;${font};font-size:13px;line-height:20px"><a href="${escaped(url)}" style="color:#59636e">${escaped(label)}</a></p>`;
const button = ({ label, url }: { label: string; url: string }): string =>
  `<p style="margin:0 0 24px"><a href="${escaped(url)}" style="display:inline-block;padding:12px 20px;border-radius:4px;background:#1b1f24;${font};font-size:16px;color:#ffffff;text-decoration:none">${escaped(label)}</a></p>`;

/** The letter as HTML that mail clients show alike: inline styles, no external images, no script. */
export const html = ({ subject, paragraphs, facts = [], action, footnotes = [], leave }: Letter): string =>
  [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    '<body style="margin:0;padding:32px 16px;background:#ffffff"><div style="max-width:560px;margin:0 auto">',
    `<p style="margin:0 0 24px;${font};font-size:20px;font-weight:bold;color:#1b1f24">Telltale</p>`,
    ...paragraphs.map(paragraph),
    ...(facts.length > 0 ? [factTable(facts)] : []),
    ...(action ? [button(action)] : []),
    ...footnotes.map(footnote),
    ...(leave ? [smallLink(leave)] : []),
    "</div></body></html>",
  ].join("");
