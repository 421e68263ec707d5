import type { AlertRow } from "@telltale/contract/alerts";
import { withDecimals } from "../../format/value.ts";

/** A value of the alert log with its unit: 2 decimals. (spec 1 §9) */
export const alertValue = (value: number, { valueUnit }: Pick<AlertRow, "valueUnit">): string =>
  valueUnit === "" ? withDecimals(value, 2) : `${withDecimals(value, 2)} ${valueUnit}`;
