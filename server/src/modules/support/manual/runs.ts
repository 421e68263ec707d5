import type { Token, Tokens } from "marked";
import type { Face } from "../../../platform/pdf-fonts.ts";
import { colour } from "./sheet.ts";

/** How a piece of text looks, and where it leads. */
export interface Style {
  face: Face;
  size: number;
  colour: string;
  /** An address, or with `#` a place in this manual. */
  link?: string;
}

/** Text of one look. */
export interface Run {
  text: string;
  style: Style;
}

/** Gives the place that a page's link leads to; undefined when it leads out of this manual. */
export type PlaceOf = (href: string) => string | undefined;

const innerOf = (token: Token): Token[] => ("tokens" in token ? (token.tokens ?? []) : []);

/** Text with its emphases, codes and links, in the order in which it is read. */
export const runsOf = (tokens: Token[], style: Style, placeOf: PlaceOf): Run[] =>
  tokens.flatMap((token): Run[] => {
    const within = (changed: Partial<Style>) => runsOf(innerOf(token), { ...style, ...changed }, placeOf);
    switch (token.type) {
      case "strong":
        return within({ face: "bold" });
      case "em":
        return within({ face: "italic" });
      case "codespan":
        return [{ text: (token as Tokens.Codespan).text, style: { ...style, face: "mono", size: style.size * 0.93 } }];
      case "link": {
        const link = placeOf((token as Tokens.Link).href);
        return link === undefined ? within({}) : within({ link, colour: colour.link });
      }
      case "br":
        return [{ text: "\n", style }];
      default:
        return innerOf(token).length > 0 ? within({}) : [{ text: (token as Tokens.Text).text ?? "", style }];
    }
  });
