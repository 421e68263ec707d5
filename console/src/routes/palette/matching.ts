/** What the palette finds, in the order in which it is listed. */
export const kinds = ["channels", "devices", "alerts", "actions", "pages"] as const;
export type Kind = (typeof kinds)[number];

/** First characters that ask for one kind only. */
const prefixes: Readonly<Record<string, Kind>> = { ">": "actions", "!": "alerts" };

/** What was typed. */
export interface Query {
  /** The only kind that is asked for; undefined for all. */
  kind: Kind | undefined;
  /** In lower case, with single spaces. */
  phrase: string;
  words: readonly string[];
}

export const queryOf = (typed: string): Query => {
  const text = typed.trimStart();
  const kind = prefixes[text.charAt(0)];
  const words = (kind ? text.slice(1) : text).toLowerCase().split(/\s+/).filter(Boolean);
  return { kind, phrase: words.join(" "), words };
};

/** The word by which the server is asked: the longest says most. The other words are looked for in its answer. */
export const askedWord = ({ words }: Query): string =>
  words.reduce((most, word) => (word.length > most.length ? word : most), "");

/** How well a name and what is said beside it match; lower is better, undefined is no match. Every word must be found. */
const rankOf = ({ phrase, words }: Query, name: string, beside = ""): number | undefined => {
  const [inName, inBoth] = [name.toLowerCase(), `${name} ${beside}`.toLowerCase()];
  if (!words.every((word) => inBoth.includes(word))) return undefined;
  if (inName.startsWith(phrase)) return 0;
  if (inName.includes(phrase)) return 1;
  return words.every((word) => inName.includes(word)) ? 2 : 3;
};

/** Those that match, the best first; equally good ones keep their order. */
export const matching = <T extends { name: string; note?: string | undefined }>(
  query: Query,
  items: readonly T[],
): T[] =>
  items
    .flatMap((item) => {
      const rank = rankOf(query, item.name, item.note);
      return rank === undefined ? [] : [{ item, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);

/** A part of a text; `isMatch` where it is what was typed. */
export interface Part {
  text: string;
  isMatch: boolean;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A text in parts: the phrase where it occurs as a whole, or else its words. */
export const partsOf = (text: string, { phrase, words }: Query): Part[] => {
  const wanted = text.toLowerCase().includes(phrase) ? [phrase] : words;
  if (phrase === "") return [{ text, isMatch: false }];
  const longestFirst = [...wanted].sort((a, b) => b.length - a.length);
  const pieces = text.split(new RegExp(`(${longestFirst.map(escaped).join("|")})`, "i"));
  return pieces.map((piece, index) => ({ text: piece, isMatch: index % 2 === 1 })).filter((part) => part.text !== "");
};
