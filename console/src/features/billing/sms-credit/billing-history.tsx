import { type SmsPurchase, sms } from "@telltale/contract/domains/billing";
import { count } from "@telltale/contract/text/counted";
import type { ReactNode } from "react";
import type { Column } from "../../../table/column.tsx";
import { ListScreen } from "../../../table/list-screen.tsx";
import { usePages } from "../../../table/use-pages.ts";
import { dollars } from "../../../ui/format/money.ts";
import { dateTime } from "../../../ui/format/time.ts";
import { ReceiptLink } from "../receipt-link.tsx";

const columns: Column<SmsPurchase>[] = [
  { key: "email", head: "EMAIL", width: 260, narrow: "top-main", cell: ({ email }) => email },
  { key: "name", head: "NAME", width: 200, narrow: "below-main", cell: ({ nickname }) => nickname || "--" },
  {
    key: "amount",
    head: "PAYMENT AMOUNT",
    width: 150,
    align: "end",
    narrow: "top-end",
    cell: ({ payAmount }) => dollars(payAmount),
  },
  {
    key: "num",
    head: "SMS NUMBER",
    width: 130,
    align: "end",
    narrow: "below-end",
    cell: ({ smsNum }) => count(smsNum),
  },
  {
    key: "date",
    head: "DATE",
    width: 180,
    narrow: "action",
    cell: ({ createdTime }) => <time dateTime={createdTime.toISOString()}>{dateTime(createdTime)}</time>,
  },
  {
    key: "receipt",
    head: "RECEIPT",
    width: 100,
    narrow: "action-end",
    cell: ({ orderSn }) => <ReceiptLink orderSn={orderSn} />,
  },
];

const keyOfPurchase = ({ orderSn }: SmsPurchase) => orderSn;

/** Paid SMS purchases, newest first. */
export const BillingHistory = (): ReactNode => {
  const pages = usePages(sms.purchases, {});
  return (
    <ListScreen
      label="Billing history"
      pages={pages}
      columns={columns}
      rowKey={keyOfPurchase}
      empty="No SMS have been bought yet"
    />
  );
};
