import { z } from "zod";
import * as wire from "./wire.ts";

/** Rows of a page in most lists; the detail lists hold 10. (spec 1 §9) */
export const pageSize = 20;
export const detailPageSize = 10;

/** Query fields of every paged call. */
export const pageQuery = {
  page: wire.intBetween(1, 1_000_000).default(1),
  size: wire.intBetween(1, 200).default(pageSize),
};

/**
 * A page of rows. `page` counts from 1; the last page is `total_pages`, 0 when there is no row. The total of a list that grows without end
 * (alerts) is exact up to 10,000 rows beyond the page and a lower bound past them, so that one can always go on.
 */
export const page = <T extends z.ZodType>(row: T) =>
  z.object({ data: z.array(row), page: z.int(), total_pages: z.int(), total: z.int() });

export interface Page<T> {
  data: T[];
  page: number;
  total_pages: number;
  total: number;
}
