import type { Layout } from "./layout.ts";
import type { Picture } from "./picture.ts";
import type { ChartTokens } from "./tokens.ts";

/** How the chart is to be drawn: what, how large, in which colours. */
export interface Drawing {
  picture: Picture;
  layout: Layout;
  tokens: ChartTokens;
}
