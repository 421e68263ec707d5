import { Button } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ReceiptLink } from "../../table/receipt-link.tsx";
import classes from "./bought.module.css";

/** The confirmation of a paid order. (spec 2 §2) */
export const Bought = ({ orderSn }: { orderSn: string }): ReactNode => (
  <div className={classes.bought} role="status">
    <h2>
      <IconCircleCheck size={22} aria-hidden /> CONFIRMATION
    </h2>
    <dl>
      <dt>Order ID</dt>
      <dd className={classes.id}>{orderSn}</dd>
      <dt>Status</dt>
      <dd>COMPLETED</dd>
    </dl>
    <div className={classes.actions}>
      <ReceiptLink orderSn={orderSn} />
      <Button component={Link} to="/devices" variant="default" size="compact-sm">
        Go to devices
      </Button>
    </div>
  </div>
);
