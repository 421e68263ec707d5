import { AlertClass, AlertPriority, alertPriorityLabels } from "@telltale/contract/domains/alerts";
import { type AlertFacts, alertText } from "./alert-facts.ts";
import { type Addressed, alertUrl, duration } from "./alert-letter.ts";
import { shortened } from "./gsm.rules.ts";
import type { Letter } from "./letter.ts";
import { alertLetterOf, alertOf, type OutboxMessage } from "./message.ts";
import { typedText } from "./quoted.rules.ts";

/** A push as the console's service worker shows it (console/public/sw.js). */
export interface PushNotice {
  title: string;
  body: string;
  /** What a tap opens: the recipient's own link to the alert. */
  url: string;
  /** The alert in the console; absent where `url` is a page of the console. */
  consoleUrl?: string;
  /** The same for all messages about an alert: the newest replaces the one before. */
  tag: string;
  /** The notification stays until it is clicked or dismissed. */
  isUrgent: boolean;
}

/** Longest title and text, so that the encrypted message stays below the 4 kB of push services in any script. */
const longest = { title: 120, body: 500 };

/** The alert's subject: its rule's name if a person has given one to this channel, or its channel or device. */
const nameOf = ({ alarmClass, alarmName, channelName, deviceName }: AlertFacts): string =>
  alarmClass === AlertClass.custom && alarmName ? alarmName : (channelName ?? deviceName);

const sentence = (parts: readonly (string | null | undefined)[]): string => {
  const text = parts.filter(Boolean).join(", ");
  return text === "" ? "" : `${text}.`;
};

const minute = 60_000;

const normalNotice = (facts: AlertFacts) => {
  const { time, clearedTime, deviceName, plantName } = facts;
  const minutes = clearedTime === undefined ? undefined : Math.max(1, Math.round((clearedTime - time) / minute));
  return {
    title: `Back to normal: ${typedText(nameOf(facts))}`,
    body: [
      minutes === undefined ? "" : `Stood for ${duration(minutes)}.`,
      sentence([typedText(deviceName), typedText(plantName)]),
    ],
  };
};

const raisedNotice = (facts: AlertFacts) => {
  const { priority, minutes, deviceName, plantName, response = "" } = facts;
  const words = alertText(facts);
  const what = words.notice ?? words.value ?? "";
  const threshold = words.notice === null && words.threshold !== null ? `limit ${typedText(words.threshold)}` : null;
  const waiting = minutes === undefined ? null : `not confirmed for ${duration(minutes)}`;
  return {
    title: `${priority === undefined ? "" : `${alertPriorityLabels[priority]} `}${typedText(nameOf(facts))}, ${typedText(what)}`,
    body: [
      // What to do leads, and what is known follows.
      ...response.split("\n").map(typedText),
      sentence([typedText(deviceName), threshold, waiting]),
      words.remark === "" ? "" : `${typedText(words.remark)}.`,
      words.isLate ? `Reported late, raised ${words.time}.` : "",
      sentence([typedText(plantName)]),
    ],
  };
};

const shown = ({ title, body }: { title: string; body: readonly string[] }) => ({
  title: shortened(title, longest.title),
  body: shortened(body.filter(Boolean).join(" "), longest.body),
});

/** How many of a summary's alerts are listed: the newest. */
const mostLines = 5;

const summaryNotice = ({ subject, paragraphs, facts = [], action }: Letter, publicUrl: string): PushNotice => ({
  ...shown({
    title: subject,
    body: [
      ...paragraphs,
      ...facts
        .slice(-mostLines)
        .toReversed()
        .map(([, text]) => `${text}.`),
    ],
  }),
  url: action?.url ?? publicUrl,
  tag: "summary",
  isUrgent: false,
});

/** A message about one or several alerts as a push. */
export const pushNoticeOf = (message: OutboxMessage, to: Omit<Addressed, "recipient">): PushNotice => {
  const alert = alertOf(message);
  if (!alert) {
    const letter = alertLetterOf(message, { ...to, recipient: message.recipient });
    return summaryNotice(letter ?? { subject: "Telltale", paragraphs: [] }, to.publicUrl);
  }
  const consoleUrl = alertUrl(to.publicUrl, alert);
  return {
    ...shown(alert.isBackToNormal ? normalNotice(alert) : raisedNotice(alert)),
    url: to.link ?? consoleUrl,
    ...(to.link === undefined ? {} : { consoleUrl }),
    tag: `alert-${alert.alertId ?? alert.deviceSnId}`,
    isUrgent: alert.priority === AlertPriority.high && !alert.isBackToNormal,
  };
};
