/** Characters of texts that were kept before they were refused: those that break a line, reorder it or show nothing. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\s]+/gu;

/** Where mail readers and phones would make a link of a text. */
const linkDot = /(?<=[\p{L}\p{N}-])([.．。｡])(?=\p{L}{2})/gu;

/**
 * What somebody has typed, as it stands in a mail or SMS: on one line, and nothing to click. A space after the dot of a domain keeps readers from
 * making a link of it.
 */
export const typedText = (text: string): string =>
  text
    .replace(unseen, " ")
    .trim()
    .replace(linkDot, "$1 ")
    .replace(/:\/\//g, ": //")
    .replace(/(?<=\S)[@＠](?=\S)/g, " @ ");

/** The same between quotation marks, where it stands among our own words. */
export const quoted = (text: string): string => `“${typedText(text)}”`;
