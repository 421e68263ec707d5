import type { Token } from "marked";
import type { ContentText } from "pdfmake/interfaces.js";
import { paper } from "../../../platform/pdf.ts";
import { isToken } from "../guide/guide.ts";

/** Returns the place in the manual or the address that a page's link leads to; undefined when it leads out of this manual. */
export type PlaceOf = (href: string) => string | undefined;

type Look = Omit<ContentText, "text">;

const innerOf = (token: Token): Token[] => ("tokens" in token ? (token.tokens ?? []) : []);

const linkTo = (place: string): Look =>
  place.startsWith("#") ? { linkToDestination: place.slice(1) } : { link: place };

/** A code of at most so many characters is never broken. */
const longestWhole = 36;

/** Text with its emphases, codes and links, in reading order. `size` in points. */
export const runsOf = (tokens: Token[], size: number, placeOf: PlaceOf, look: Look = {}): ContentText[] =>
  tokens.flatMap((token): ContentText[] => {
    const within = (changed: Look) => runsOf(innerOf(token), size, placeOf, { ...look, ...changed });
    if (isToken(token, "strong")) return within({ bold: true });
    if (isToken(token, "em")) return within({ italics: true });
    if (isToken(token, "codespan"))
      return [
        {
          ...look,
          text: token.text,
          font: "Mono",
          fontSize: size * 0.93,
          bold: false,
          italics: false,
          noWrap: token.text.length <= longestWhole,
        },
      ];
    if (isToken(token, "link")) {
      const place = placeOf(token.href);
      return within(place === undefined ? {} : { ...linkTo(place), color: paper.link });
    }
    if (isToken(token, "br")) return [{ ...look, text: "\n" }];
    const text = "text" in token && typeof token.text === "string" ? token.text : "";
    return innerOf(token).length > 0 ? within({}) : [{ ...look, text: text.replace(/\s+/g, " ") }];
  });
