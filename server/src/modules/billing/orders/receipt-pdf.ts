import { Readable } from "node:stream";
import { amountText } from "@telltale/contract/domains/billing";
import type { Content } from "pdfmake/interfaces.js";
import { isServiceOrder, type Receipt } from "./queries.ts";
import { saleText } from "./rules.ts";

const utc = (moment: Date | null): string =>
  moment ? `${moment.toISOString().slice(0, 16).replace("T", " ")} UTC` : "";

/** What the receipt says, line by line; what is not known is left out. */
const linesOf = (receipt: Receipt): [string, string][] => {
  const buyer = [receipt.first_name, receipt.last_name].filter(Boolean).join(" ");
  const lines: [string, string | null][] = [
    ["Order ID", receipt.order_sn],
    ["Paid", utc(receipt.captured_time)],
    ["Payment", receipt.capture_id],
    ["Plant", receipt.plant_name],
    ["Company", receipt.company],
    ["Ordered by", buyer],
    ["E-mail", receipt.email],
    ["Bought", saleText(receipt)],
    ["Device", isServiceOrder(receipt) ? `${receipt.device_name} (${receipt.device_sn_id})` : null],
    ["Service until", utc(receipt.service_end)],
  ];
  return lines.filter((line): line is [string, string] => Boolean(line[1]));
};

/** The receipt of a paid order on one page, as PDF. */
export const receiptPdf = async (receipt: Receipt): Promise<Readable> => {
  // Large, and seldom needed.
  const { createPdf, paper } = await import("../../../platform/pdf.ts");
  const lines = linesOf(receipt).map(([name, value]) => [{ text: name, color: paper.soft }, value]);
  const content: Content[] = [
    { text: "Telltale", fontSize: 20, bold: true },
    { text: "Receipt", fontSize: 15, bold: true, margin: [0, 4, 0, 16] },
    { table: { widths: [150, "*"], body: lines }, layout: "noBorders" },
    {
      text: `Total paid: ${amountText(receipt.amount_cents)} ${receipt.currency}`,
      fontSize: 14,
      bold: true,
      marginTop: 12,
    },
  ];
  if (receipt.payment_id?.startsWith("SANDBOX-"))
    content.push({ text: "This was bought in the built-in sandbox checkout: no money moved.", marginTop: 8 });
  const pdf = createPdf({ info: { title: `Receipt ${receipt.order_sn}` }, pageMargins: 56, content });
  return Readable.from([await pdf.getBuffer()]);
};
