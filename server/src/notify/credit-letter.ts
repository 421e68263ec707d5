import { counted } from "@telltale/contract/counted";
import type { Letter } from "./letter.ts";

/** Tells whoever can buy SMS that few or none are left. */
export const creditLetter = (left: number, publicUrl: string): Letter => ({
  subject: left === 0 ? "No SMS credit is left" : `Only ${counted(left, "SMS is", "SMS are")} left`,
  paragraphs: [
    left === 0
      ? "The last SMS of your plant's credit has just been used. Alerts that would go out by SMS now come to owners and admins by mail."
      : `Your plant has credit for ${left} more SMS. When it is used up, alerts that would go out by SMS come to owners and admins by mail.`,
  ],
  action: { label: "Buy SMS", url: `${publicUrl}/sms` },
  footnotes: ["You are told because you are an owner or admin of this plant."],
});
