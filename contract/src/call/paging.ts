import { z } from "zod";
import * as wire from "./wire.ts";

/** Rows per page of most lists; the detail lists have 10. (spec 1 §9) */
export const pageSize = 20;
export const detailPageSize = 10;

/** Query fields of every paged call. */
export const pageQuery = {
  page: wire.intBetween(1, 1_000_000).default(1),
  size: wire.intBetween(1, 200).default(pageSize),
};

/** Rows beyond the requested page that a long list counts; past them the total is a lower bound. */
export const countedAhead = 10_000;

const count = z.int();

/**
 * A page of rows. `page` counts from 1; the last page is `total_pages`, 0 when there are no rows. For lists that grow without limit (alerts)
 * the total is exact up to 10,000 rows beyond the page and a lower bound above that, so that there is always a next page to request.
 */
export const page = <T extends z.ZodType>(row: T) =>
  z.object({ data: z.array(row), page: count, total_pages: count, total: count });

export interface Page<T> {
  data: T[];
  page: number;
  total_pages: number;
  total: number;
}
