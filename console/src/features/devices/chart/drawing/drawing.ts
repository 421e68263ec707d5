import type { ChartModel } from "./chart-model.ts";
import type { Layout } from "./layout.ts";
import type { ChartTokens } from "./tokens.ts";

/** What to draw, how large, and in which colours. */
export interface Drawing {
  model: ChartModel;
  layout: Layout;
  tokens: ChartTokens;
}
