import { z } from "zod";
import { madeOnce } from "../text/made-once.ts";
import { dateError, isDay, rangeStart } from "./wire.ts";

const pattern = /^\d{4}-\d{2}-\d{2}$/;

/** Start or end of a range of local days: a moment, or a date as text, whose first and last millisecond depend on a time zone; see `rangeIn`. */
export const momentOrDay = madeOnce(() =>
  z.union(
    [
      z
        .string()
        .trim()
        .refine((text) => pattern.test(text) && isDay(text), { abort: true })
        .describe("A date as 2026-01-31: that whole day"),
      rangeStart(),
    ],
    { error: dateError },
  ),
);
