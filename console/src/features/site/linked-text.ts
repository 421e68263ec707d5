/** A piece of a message: plain, or an address to open. */
export interface Piece {
  text: string;
  address?: string;
}

/** What a page may open; anything else stays plain text. */
const isWeb = (link: string): boolean => /^https?:\/\//i.test(link);

/** Cuts a message at its links, which are in its text in this order. A link that is not in it stands at its end. */
export const linkedText = (text: string, links: readonly string[]): Piece[] => {
  const pieces: Piece[] = [];
  let rest = text;
  for (const link of links.filter(isWeb)) {
    const at = rest.indexOf(link);
    if (at > 0) pieces.push({ text: rest.slice(0, at) });
    if (at < 0 && rest !== "") pieces.push({ text: `${rest}\n` });
    pieces.push({ text: link, address: link });
    rest = at < 0 ? "" : rest.slice(at + link.length);
  }
  if (rest !== "") pieces.push({ text: rest });
  return pieces;
};
