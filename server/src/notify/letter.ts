/** A mail as it is meant; how it is written follows from that. */
export interface Letter {
  subject: string;
  /** Plain sentences, one paragraph each. */
  paragraphs: string[];
  /** The one thing to do, as a button. */
  action?: { label: string; url: string };
  /** Small print under the button: until when it works, what to do if one never asked. */
  footnotes?: string[];
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

/** The letter for readers that show plain text. */
export const plainText = ({ paragraphs, action, footnotes = [] }: Letter): string =>
  [...paragraphs, ...(action ? [`${action.label}:\n${action.url}`] : []), ...footnotes, "Telltale"].join("\n\n");

const font = "font-family:Helvetica,Arial,sans-serif";
const paragraph = (text: string): string =>
  `<p style="margin:0 0 16px;${font};font-size:16px;line-height:24px;color:#1b1f24">${escaped(text)}</p>`;
const footnote = (text: string): string =>
  `<p style="margin:0 0 8px;${font};font-size:13px;line-height:20px;color:#59636e">${escaped(text)}</p>`;
const button = ({ label, url }: { label: string; url: string }): string =>
  `<p style="margin:0 0 24px"><a href="${escaped(url)}" style="display:inline-block;padding:12px 20px;border-radius:4px;background:#1b1f24;${font};font-size:16px;color:#ffffff;text-decoration:none">${escaped(label)}</a></p>`;

/** The letter as HTML that mail readers show alike: inline styles, no picture to load, no script. */
export const html = ({ subject, paragraphs, action, footnotes = [] }: Letter): string =>
  [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    '<body style="margin:0;padding:32px 16px;background:#ffffff"><div style="max-width:560px;margin:0 auto">',
    `<p style="margin:0 0 24px;${font};font-size:20px;font-weight:bold;color:#1b1f24">Telltale</p>`,
    ...paragraphs.map(paragraph),
    ...(action ? [button(action)] : []),
    ...footnotes.map(footnote),
    "</div></body></html>",
  ].join("");
