import { orderTotal } from "@telltale/contract/orders";
import type { ReactNode } from "react";
import { dollars } from "../../format/money.ts";
import classes from "./total.module.css";

/** What the years cost together. (spec 1 §9) */
export const Total = ({ money, years }: { money: number; years: number }): ReactNode => (
  <p className={classes.total} aria-live="polite">
    <span>Total</span> <b>{dollars(orderTotal(money, years))}</b>
  </p>
);
