import { alertPriorityLabels } from "@telltale/contract/domains/alerts";
import { Hold } from "../outbox/hold.ts";
import { type AlertFacts, alertText } from "./alert-facts.ts";
import { type Addressed, noCredit } from "./alert-letter.ts";
import { gsm, gsmName, shortened } from "./gsm.rules.ts";
import type { Letter } from "./letter.ts";
import { quoted, typedText } from "./quoted.rules.ts";

/** A summary of several alerts for one address. */
export interface DigestFacts {
  hold: Hold;
  plantName: string;
  /** Key of the contact's unsubscribe link. Null for a user. */
  stopKey: string | null;
  /** The alerts, oldest first. */
  alerts: AlertFacts[];
  /** How many more there are than it lists. */
  more: number;
}

/** How many of the listed alerts are back to normal. */
const normal = ({ alerts }: DigestFacts): number => alerts.filter(({ isBackToNormal }) => isBackToNormal).length;

const countOf = ({ alerts, more }: DigestFacts): number => alerts.length + more;

const reasons: Record<Hold, (count: number, facts: DigestFacts) => string> = {
  [Hold.backlog]: (count) => `${count} alerts came and went before the server learned of them. They are over.`,
  [Hold.flood]: (count) =>
    `${count} messages about alerts since the last one. While there are so many, you get them in a summary every 15 minutes.`,
  [Hold.quietHours]: (count, facts) => {
    const over = normal(facts);
    const still = `${count - over} alerts were raised in your quiet hours and still stand.`;
    return over === 0 ? still : `${still} ${over} of earlier are back to normal.`;
  },
};

/** An alert of a summary: when it was, and what. */
export const lineOf = (facts: AlertFacts): [time: string, text: string] => {
  const words = alertText(facts);
  const what = words.notice === null ? `${words.type}: ${facts.channelName ?? ""} ${words.value}` : words.notice;
  const label = facts.priority === undefined ? "" : `${alertPriorityLabels[facts.priority]} `;
  const state = facts.isBackToNormal ? "back to normal" : facts.clearedTime === undefined ? "" : "over";
  const text = `${label}${what} - ${facts.deviceName}${state && `, ${state}`}`;
  return [words.time.slice(0, 16), typedText(text)];
};

/** A summary as a mail. */
export const digestLetter = (facts: DigestFacts, to: Addressed): Letter => {
  const { hold, plantName, stopKey, alerts, more } = facts;
  const count = countOf(facts);
  const from = quoted(plantName);
  const fields = new URLSearchParams({ accessToken: stopKey ?? "", email: to.recipient, stop: "1" });
  return {
    subject: `${count} alerts in ${typedText(plantName)}`,
    paragraphs: [reasons[hold](count, facts), ...(to.insteadOf === undefined ? [] : [noCredit(to.insteadOf)])],
    facts: [
      ...alerts.map(lineOf),
      ...(more > 0 ? [["", `and ${more} more: see the alert log`] as [string, string]] : []),
    ],
    action: { label: "Open the alerts", url: `${to.publicUrl}/alarms` },
    ...(stopKey === null || to.insteadOf !== undefined
      ? { footnotes: [`You receive this because you are notified of alerts in ${from}.`] }
      : {
          footnotes: [`You receive this because you agreed to get the alerts of ${from}.`],
          leave: { label: "Stop these alerts", url: `${to.publicUrl}/contact?${fields}` },
        }),
  };
};

/** A summary as one SMS of at most 160 GSM characters. */
export const digestSms = (facts: DigestFacts, { publicUrl }: { publicUrl: string }): string => {
  const urgent = facts.alerts.filter(({ priority }) => priority === 1).length;
  const newest = facts.alerts.at(-1);
  const last = newest ? ` Last: ${shortened(gsm(lineOf(newest)[1]), 60)}.` : "";
  const plant = shortened(gsmName(typedText(facts.plantName), "Telltale"), 30);
  const text = `${countOf(facts)} alerts, ${urgent} of them P1, ${plant}.${last}`;
  const linked = `${text} ${publicUrl}/alarms`;
  return linked.length <= 160 && gsm(linked) === linked ? linked : shortened(text, 160);
};
