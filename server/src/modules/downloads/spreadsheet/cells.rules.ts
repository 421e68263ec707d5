/** Cell styles, as indexes into `styles` of parts.ts. */
export const Style = { plain: 0, moment: 1, head: 2 } as const;
export type Style = (typeof Style)[keyof typeof Style];

/** A spreadsheet may take text that begins so for a formula, at the latest after it was saved as CSV. */
const formulaStart = /^[=+\-@\t\r]/;

/** Escapes text that a spreadsheet would take for a formula. */
export const escapedFormula = (text: string): string => (formulaStart.test(text) ? `'${text}` : text);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 forbids
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;" };

/** Escapes text for XML; characters that XML cannot hold become replacement characters. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(forbidden, "\ufffd")
    .replace(/[&<>"\r]/g, (character) => entities[character] ?? character);

// Cell addresses are optional and left out, which shortens every row by seven of them.

export const numberCell = (value: number): string => `<c><v>${value}</v></c>`;

/** A cell with a shared text, by its index. */
export const textCell = (number: number, style: Style = Style.plain): string =>
  `<c${style === Style.plain ? "" : ` s="${style}"`} t="s"><v>${number}</v></c>`;

export const emptyCell = "<c/>";

const day = 86_400_000;
/** 1970-01-01 as a spreadsheet's day number. */
const epochDay = 25_569;

/** A cell with a local time, given as milliseconds since 1970-01-01 00:00 local time; exact to the millisecond. */
export const momentCell = (wall: number): string => `<c s="${Style.moment}"><v>${wall / day + epochDay}</v></c>`;

export const row = (cells: string): string => `<row>${cells}</row>`;
