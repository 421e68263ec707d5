import { AlertClass, alertPriorityLabels } from "@telltale/contract/domains/alerts";
import { type AlertFacts, alertText } from "./alert-facts.ts";
import { gsm, gsmName, shortened } from "./gsm.rules.ts";
import type { Letter } from "./letter.ts";
import { quoted, typedText } from "./quoted.rules.ts";

/** Link to the alert's page in the console; of a message by an older version, which does not name the alert, to the log of its device. */
export const alertUrl = (publicUrl: string, { alertId, alarmClass, deviceSnId }: AlertFacts): string => {
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
  /** The recipient's own link to the alert, which confirms it without signing in; see `alertLink`. */
  link?: string | undefined;
  recipient: string;
  /** The phone number whose SMS this mail replaces, because there was no credit. */
  insteadOf?: string;
}

/** Why a mail comes instead of an SMS. */
export const noCredit = (phone: string): string =>
  `This alert should have been sent to +${phone} by SMS. Your plant has no SMS credit left, so you get it by mail.`;

/** What the recipient must know of a link that is theirs alone. */
const linkNote = ({ link }: Addressed): string[] =>
  link === undefined
    ? []
    : [
        "The link is yours alone: for seven days, whoever has it sees this alert and may confirm it in your name. Do not forward it.",
      ];

const leaveOf = (to: Addressed, { stopKey, plantName, isOfPlan = false }: AlertFacts): Partial<Letter> => {
  const { publicUrl, recipient, insteadOf } = to;
  if (insteadOf !== undefined)
    return { footnotes: [`You receive this because you are an owner or admin of ${quoted(plantName)}.`] };
  if (stopKey === null && isOfPlan)
    return {
      footnotes: [...linkNote(to), `You receive this because an escalation plan of ${quoted(plantName)} names you.`],
    };
  if (stopKey === null)
    return {
      footnotes: [...linkNote(to), `You receive this because the alert is assigned to you in ${quoted(plantName)}.`],
    };
  const fields = new URLSearchParams({ accessToken: stopKey, email: recipient, stop: "1" });
  return {
    footnotes: [...linkNote(to), `You receive this because you agreed to get the alerts of ${quoted(plantName)}.`],
    leave: { label: "Stop these alerts", url: `${publicUrl}/contact?${fields}` },
  };
};

/** The alert's texts, with unit, values and device text made safe for a mail: they come from users and devices. */
const shownText = (facts: AlertFacts) => {
  const words = alertText(facts);
  const shown = (text: string | null) => text && typedText(text);
  return { ...words, value: shown(words.value), threshold: shown(words.threshold), notice: shown(words.notice) };
};

/** Minutes in words: 28 min, 3 h 20 min. */
export const duration = (minutes: number): string =>
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
    words.notice === null
      ? `${words.type}: ${channel} ${words.value} - ${device}`
      : `${channel === "" ? "" : `${channel} - `}${device}: ${words.notice}`;
  const what =
    words.notice === null
      ? `${quoted(channel)} of ${quoted(device)} has raised an alert: ${words.value}${threshold}.`
      : `${channel === "" ? "" : `${quoted(channel)} of `}${quoted(device)} in ${quoted(plant)}: ${words.notice}.`;
  const remark = words.remark === "" ? [] : [`${words.remark}.`];
  return {
    subject: `${occasion(facts)}${subject}`,
    paragraphs: [
      ...(facts.isBackToNormal ? [backToNormal(facts)] : [what, ...remark]),
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
    action: { label: "Open the alert", url: to.link ?? alertUrl(to.publicUrl, facts) },
    ...leaveOf(to, facts),
  };
};

/** Length of one SMS, characters. */
const longest = 160;
/** Longest name when the whole text does not fit. */
const longestName = 30;

/** How much an SMS says. `isBrief`: neither threshold nor plant, and a short notice; the link tells them. */
interface SmsLength {
  name: number;
  isBrief?: boolean;
}

const smsText = (facts: AlertFacts, { name: nameLength, isBrief = false }: SmsLength): string => {
  const begin = occasion(facts);
  const words = shownText(facts);
  const name = (text: string, instead: string) => shortened(gsmName(typedText(text), instead), nameLength);
  const device = name(facts.deviceName, facts.deviceSnId);
  const plant = isBrief ? "" : `, ${name(facts.plantName, "Telltale")}`;
  const late = isBrief ? " (late)" : " (reported late)";
  const when = `${words.shortTime}${words.isLate ? late : ""}${plant}`;
  const channel = name(facts.channelName ?? "", facts.channelCn ?? "");
  if (words.notice !== null) {
    const where = facts.channelName === null ? device : `${channel}, ${device}`;
    return `${begin}${where}: ${shortened(gsm(words.notice), isBrief ? 30 : 60)}. ${when}`;
  }
  const value = shortened(gsm(words.value ?? ""), isBrief ? 14 : 20);
  const hasThreshold = words.threshold !== null && !isBrief;
  const threshold = hasThreshold ? ` (threshold ${shortened(gsm(words.threshold ?? ""), 20)})` : "";
  const remark = words.remark === "" || isBrief ? "" : `. ${gsm(words.remark)}`;
  return `${begin}${words.type}: ${channel} ${value}${threshold}, ${device}${remark}. ${when}`;
};

/** Tried in turn until text and link fit. */
const lengths: readonly SmsLength[] = [
  ...[longest, longestName, 20, 14, 10].map((name) => ({ name })),
  { name: longestName, isBrief: true },
  { name: 10, isBrief: true },
];

/** Characters that the shortest text can need. */
const leastText = 84;

/**
 * An alert as one SMS of at most 160 GSM characters. The text is shortened so that the recipient's own link fits, unless the server's address is very
 * long; otherwise a link to the alert, or to the log, is added if it fits.
 */
export const alertSms = (facts: AlertFacts, { publicUrl, link }: Omit<Addressed, "recipient">): string => {
  if (link !== undefined && gsm(link) === link) {
    const room = longest - link.length - 1;
    const text = lengths.map((length) => smsText(facts, length)).find((each) => each.length <= room);
    if (room >= leastText && text !== undefined) return `${text} ${link}`;
  }
  const whole = smsText(facts, { name: longest });
  const text = whole.length <= longest ? whole : shortened(smsText(facts, { name: longestName }), longest);
  const log = `${publicUrl}/alarms`;
  const linked = [facts.alertId === undefined ? log : alertUrl(publicUrl, facts), log].map((url) => `${text} ${url}`);
  return linked.find((each) => each.length <= longest && gsm(each) === each) ?? text;
};
