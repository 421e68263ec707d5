/** Invisible characters, line breaks and text direction marks; texts stored before these were refused may contain them. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\s]+/gu;

/** Dots by which mail clients and phones would turn text into a link. */
const linkDot = /(?<=[\p{L}\p{N}-])([.．。｡])(?=\p{L}{2})/gu;

/**
 * Makes user-provided text safe for mail and SMS: on one line, and nothing that becomes a link. A space after the dot of a domain keeps clients from
 * linking it.
 */
export const typedText = (text: string): string =>
  text
    .replace(unseen, " ")
    .trim()
    .replace(linkDot, "$1 ")
    .replace(/:\/\//g, ": //")
    .replace(/(?<=\S)[@＠](?=\S)/g, " @ ");

/** The same in quotation marks, for use within our own sentences. */
export const quoted = (text: string): string => `“${typedText(text)}”`;
