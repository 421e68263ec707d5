import { Checkbox } from "@mantine/core";
import type { Purchase } from "@telltale/contract/domains/billing";
import { type ReactNode, useState } from "react";
import { Button } from "../../../ui/control/button.tsx";
import { dollars } from "../../../ui/format/money.ts";
import classes from "./review.module.css";

interface ReviewProps {
  purchase: Purchase;
  isTaking: boolean;
  onBuy: () => void;
}

/** '<seconds> <years>' of network services as text; other products by their name. (spec 2 §9) */
const lineText = (name: string): string => {
  const [, seconds, years] = /^(\d+) (\d+)$/.exec(name) ?? [];
  return seconds === undefined ? name : `${seconds} Second Reporting for ${years} year`;
};

const Lines = ({ purchase }: { purchase: Purchase }): ReactNode => {
  const unit = purchase.purchase_units[0];
  const item = unit?.items[0];
  if (!unit || !item) return null;
  return (
    <dl className={classes.lines}>
      <dt>Description</dt>
      <dd>{lineText(item.name)}</dd>
      {item.description !== "" && (
        <>
          <dt>Device ID</dt>
          <dd className={classes.id}>{item.description}</dd>
        </>
      )}
      <dt>Price</dt>
      <dd>{dollars(item.unit_amount.value)}</dd>
      <dt>Order</dt>
      <dd className={classes.id}>{purchase.orderSn}</dd>
      <dt>Total</dt>
      <dd className={classes.total}>{dollars(unit.amount.breakdown.item_total.value)}</dd>
    </dl>
  );
};

/** The items, the total, and BUY NOW, enabled once the terms are accepted. (spec 2 §2) */
export const Review = ({ purchase, isTaking, onBuy }: ReviewProps): ReactNode => {
  const [isAgreed, agree] = useState(false);
  const isService = purchase.purchase_units[0]?.items[0]?.description !== "";
  return (
    <>
      <h2 className={classes.head}>{isService ? "Confirm Network Services Purchase" : "Confirm SMS Purchase"}</h2>
      <Lines purchase={purchase} />
      <div className={classes.foot}>
        <Checkbox
          checked={isAgreed || isTaking}
          disabled={isTaking}
          onChange={(event) => agree(event.currentTarget.checked)}
          label={
            <>
              I agree with the{" "}
              <a className={classes.terms} href="/agreement?type=1" target="_blank" rel="noreferrer">
                Terms of Use
              </a>
            </>
          }
        />
        <Button variant="ink" disabled={!isAgreed && !isTaking} loading={isTaking} onClick={onBuy}>
          BUY NOW
        </Button>
      </div>
    </>
  );
};
