import type { Layout } from "./layout.ts";
import type { Picture } from "./picture.ts";
import type { ChartTokens } from "./tokens.ts";

/** What to draw, how large, and in which colours. */
export interface Drawing {
  picture: Picture;
  layout: Layout;
  tokens: ChartTokens;
}
