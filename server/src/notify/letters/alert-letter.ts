import { AlertClass, alertPriorityLabels } from "@telltale/contract/domains/alerts";
import { type AlertFacts, alertText } from "./alert-facts.ts";
import { gsm, gsmName, shortened } from "./gsm.rules.ts";
import type { Letter } from "./letter.ts";
import { quoted, typedText } from "./quoted.rules.ts";

/** Link to the alert's page in the console; of a message by an older version, which does not name the alert, to the log of its device. */
const alertUrl = (publicUrl: string, { alertId, alarmClass, deviceSnId }: AlertFacts): string => {
  if (alertId !== undefined) return `${publicUrl}/alarms/detail?alarmLogId=${alertId}`;
  const page = alarmClass === AlertClass.notification ? "/alarms/notifications" : "/alarms";
  return `${publicUrl}${page}?${new URLSearchParams({ deviceSnId })}`;
};

/** What the rule says to do, a paragraph a line. */
const whatToDo = ({ response = "" }: AlertFacts): string[] => {
  const lines = response.split("\n").map(typedText).filter(Boolean);
  return lines.length > 0 ? ["What to do:", ...lines] : [];
};

/** Whom a mail about alerts goes to. */
export interface Addressed {
  publicUrl: string;
  recipient: string;
  /** The phone number whose SMS this mail replaces, because there was no credit. */
  insteadOf?: string;
}

/** Why a mail comes instead of an SMS. */
export const noCredit = (phone: string): string =>
  `This alert should have been sent to +${phone} by SMS. Your plant has no SMS credit left, so you get it by mail.`;

const leaveOf = (
  { publicUrl, recipient, insteadOf }: Addressed,
  { stopKey, plantName, isOfPlan = false }: AlertFacts,
): Partial<Letter> => {
  if (insteadOf !== undefined)
    return { footnotes: [`You receive this because you are an owner or admin of ${quoted(plantName)}.`] };
  if (stopKey === null && isOfPlan)
    return { footnotes: [`You receive this because an escalation plan of ${quoted(plantName)} names you.`] };
  if (stopKey === null)
    return { footnotes: [`You receive this because the alert is assigned to you in ${quoted(plantName)}.`] };
  const fields = new URLSearchParams({ accessToken: stopKey, email: recipient, stop: "1" });
  return {
    footnotes: [`You receive this because you agreed to get the alerts of ${quoted(plantName)}.`],
    leave: { label: "Stop these alerts", url: `${publicUrl}/contact?${fields}` },
  };
};

/** The alert's texts, with unit, values and device text made safe for a mail: they come from users and devices. */
const shownText = (facts: AlertFacts) => {
  const words = alertText(facts);
  const shown = (text: string | null) => text && typedText(text);
  return { ...words, value: shown(words.value), threshold: shown(words.threshold), notice: shown(words.notice) };
};

const duration = (minutes: number): string =>
  minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;

/** How a message about an alert begins, unless it is the first one. */
const occasion = ({ isBackToNormal, minutes }: AlertFacts): string => {
  if (isBackToNormal) return "Back to normal: ";
  return minutes === undefined ? "" : "Not confirmed: ";
};

const backToNormal = ({ channelName, deviceName, plantName }: AlertFacts): string =>
  channelName === null
    ? `${quoted(typedText(deviceName))} in ${quoted(typedText(plantName))} is back to normal: the alert has cleared.`
    : `${quoted(typedText(channelName))} of ${quoted(typedText(deviceName))} is back to normal: the alert has cleared.`;

/** An alert as a mail. */
export const alertLetter = (facts: AlertFacts, to: Addressed): Letter => {
  const words = shownText(facts);
  const [device, channel] = [typedText(facts.deviceName), typedText(facts.channelName ?? "")];
  const [plant, alarm] = [typedText(facts.plantName), typedText(facts.alarmName ?? "")];
  const threshold = words.threshold === null ? "" : `, threshold ${words.threshold}`;
  const subject =
    words.notice === null ? `${words.type}: ${channel} ${words.value} - ${device}` : `${device}: ${words.notice}`;
  const what =
    words.notice === null
      ? `${quoted(channel)} of ${quoted(device)} has raised an alert: ${words.value}${threshold}.`
      : `${quoted(device)} in ${quoted(plant)}: ${words.notice}.`;
  return {
    subject: `${occasion(facts)}${subject}`,
    paragraphs: [
      ...(facts.isBackToNormal ? [backToNormal(facts)] : [what]),
      ...(facts.minutes === undefined ? [] : [`Nobody has confirmed it for ${duration(facts.minutes)}.`]),
      ...(facts.isBackToNormal ? [] : whatToDo(facts)),
      ...(to.insteadOf === undefined ? [] : [noCredit(to.insteadOf)]),
      ...(words.isLate ? ["The device has reported this late: it happened at the time below."] : []),
    ],
    facts: [
      ["Alert", alarm],
      ["Priority", facts.priority === undefined ? null : alertPriorityLabels[facts.priority]],
      ["Type", words.notice === null ? words.type : null],
      ["Device", device],
      ["Channel", channel],
      ["Value", words.notice === null ? words.value : null],
      ["Threshold", words.notice === null ? words.threshold : null],
      ["Triggered", words.time],
      ["Cleared", words.cleared],
      ["Plant", plant],
    ].filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== ""),
    action: { label: "Open the alert", url: alertUrl(to.publicUrl, facts) },
    ...leaveOf(to, facts),
  };
};

/** Length of one SMS, characters. */
const longest = 160;
/** Longest name when the whole text does not fit. */
const longestName = 30;

const smsText = (facts: AlertFacts, nameLength: number): string => {
  const begin = occasion(facts);
  const words = shownText(facts);
  const name = (text: string, instead: string) => shortened(gsmName(typedText(text), instead), nameLength);
  const device = name(facts.deviceName, facts.deviceSnId);
  const plant = name(facts.plantName, "Telltale");
  const when = `${words.shortTime}${words.isLate ? " (reported late)" : ""}`;
  if (words.notice !== null) return `${begin}${device}: ${shortened(gsm(words.notice), 60)}. ${when}, ${plant}`;
  const channel = name(facts.channelName ?? "", facts.channelCn ?? "");
  const value = shortened(gsm(words.value ?? ""), 20);
  const threshold = words.threshold === null ? "" : ` (threshold ${shortened(gsm(words.threshold), 20)})`;
  return `${begin}${words.type}: ${channel} ${value}${threshold}, ${device}. ${when}, ${plant}`;
};

/** An alert as one SMS of at most 160 GSM characters, with a link to it, or to the log, if it fits. */
export const alertSms = (facts: AlertFacts, { publicUrl }: { publicUrl: string }): string => {
  const whole = smsText(facts, longest);
  const text = whole.length <= longest ? whole : shortened(smsText(facts, longestName), longest);
  const log = `${publicUrl}/alarms`;
  const linked = [facts.alertId === undefined ? log : alertUrl(publicUrl, facts), log].map((url) => `${text} ${url}`);
  return linked.find((each) => each.length <= longest && gsm(each) === each) ?? text;
};
