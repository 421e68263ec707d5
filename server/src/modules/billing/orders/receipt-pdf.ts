import type { Readable } from "node:stream";
import { amountText } from "@telltale/contract/domains/billing";
import { registerFaces } from "../../../platform/pdf-fonts.ts";
import { isServiceOrder, type Receipt } from "./queries.ts";
import { saleText } from "./rules.ts";

const margin = 56;
const labelWidth = 150;

const utc = (moment: Date | null): string =>
  moment ? `${moment.toISOString().slice(0, 16).replace("T", " ")} UTC` : "";

/** Lines of the receipt; unknown fields are left out. */
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

/** The receipt of a paid order as a one-page PDF. */
export const receiptPdf = async (receipt: Receipt): Promise<Readable> => {
  // Loaded on demand: large, and rarely needed.
  const { default: Pdf } = await import("pdfkit");
  const pdf = new Pdf({ size: "A4", margin, info: { Title: `Receipt ${receipt.order_sn}`, Author: "Telltale" } });
  registerFaces(pdf, ["regular", "bold"]);
  pdf.font("bold").fontSize(20).text("Telltale");
  pdf.moveDown(0.4).fontSize(15).text("Receipt").moveDown(1);
  pdf.fontSize(11);
  for (const [name, value] of linesOf(receipt)) {
    const top = pdf.y;
    pdf.font("regular").fillColor("#59636e").text(name, margin, top, { width: labelWidth });
    pdf.fillColor("#1b1f24").text(value, margin + labelWidth, top);
    pdf.moveDown(0.35);
  }
  pdf.moveDown(0.6).font("bold").fontSize(14);
  pdf.text(`Total paid: ${amountText(receipt.amount_cents)} ${receipt.currency}`, margin);
  if (receipt.payment_id?.startsWith("SANDBOX-"))
    pdf
      .moveDown(0.6)
      .font("regular")
      .fontSize(11)
      .text("This was bought in the built-in sandbox checkout: no money moved.");
  pdf.end();
  return pdf;
};
