import type { Token } from "marked";
import type { Face } from "../../../platform/pdf-fonts.ts";
import { isToken } from "../guide/guide.ts";
import { colour } from "./sheet.ts";

/** Style of a piece of text, and its link. */
export interface Style {
  face: Face;
  size: number;
  colour: string;
  /** A URL, or with `#` a place in this manual. */
  link?: string;
}

/** Text of one style. */
export interface Run {
  text: string;
  style: Style;
}

/** Returns the place of a link's target; undefined when it is outside this manual. */
export type PlaceOf = (href: string) => string | undefined;

const innerOf = (token: Token): Token[] => ("tokens" in token ? (token.tokens ?? []) : []);

/** Splits tokens into text runs with their emphasis, code and links. */
export const runsOf = (tokens: Token[], style: Style, placeOf: PlaceOf): Run[] =>
  tokens.flatMap((token): Run[] => {
    const within = (changed: Partial<Style>) => runsOf(innerOf(token), { ...style, ...changed }, placeOf);
    if (isToken(token, "strong")) return within({ face: "bold" });
    if (isToken(token, "em")) return within({ face: "italic" });
    if (isToken(token, "codespan"))
      return [{ text: token.text, style: { ...style, face: "mono", size: style.size * 0.93 } }];
    if (isToken(token, "link")) {
      const link = placeOf(token.href);
      return link === undefined ? within({}) : within({ link, colour: colour.link });
    }
    if (isToken(token, "br")) return [{ text: "\n", style }];
    const text = "text" in token && typeof token.text === "string" ? token.text : "";
    return innerOf(token).length > 0 ? within({}) : [{ text, style }];
  });
