/** Styles of a cell, as `styles` of parts.ts counts them. */
export const Style = { plain: 0, moment: 1, head: 2 } as const;
export type Style = (typeof Style)[keyof typeof Style];

/** A spreadsheet takes a text that begins so for a formula, at the latest when it has been saved as CSV once. */
const formulaStart = /^[=+\-@\t\r]/;

/** A text that no spreadsheet takes for a formula. */
export const escapedFormula = (text: string): string => (formulaStart.test(text) ? `'${text}` : text);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 forbids
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;" };

/** A text as it stands in XML; what XML can't hold becomes a replacement character. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(forbidden, "\ufffd")
    .replace(/[&<>"\r]/g, (character) => entities[character] ?? character);

// The addresses of cells are left out: they may be, and every row would be longer by seven of them.

export const numberCell = (value: number): string => `<c><v>${value}</v></c>`;

/** A cell of a shared text, by its number. */
export const textCell = (number: number, style: Style = Style.plain): string =>
  `<c${style === Style.plain ? "" : ` s="${style}"`} t="s"><v>${number}</v></c>`;

export const emptyCell = "<c/>";

const day = 86_400_000;
/** 1970-01-01 in days since the day that spreadsheets count from. */
const epochDay = 25_569;

/** A moment of a wall clock, given as milliseconds that the clock shows since 1970-01-01 00:00, exact to the millisecond. */
export const momentCell = (wall: number): string => `<c s="${Style.moment}"><v>${wall / day + epochDay}</v></c>`;

export const row = (cells: string): string => `<row>${cells}</row>`;
