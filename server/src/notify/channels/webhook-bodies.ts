import { WebhookFormat } from "@telltale/contract/domains/alerting/webhooks";
import { AlertPriority } from "@telltale/contract/domains/alerts";
import type { AlertFacts } from "../letters/alert-facts.ts";
import { alertLetter } from "../letters/alert-letter.ts";
import { type DigestFacts, lineOf } from "../letters/digest-letter.ts";
import type { Letter } from "../letters/letter.ts";

/** What a webhook's message says. */
export interface WebhookNotice {
  letter: Letter;
  /** Of a message about one alert. */
  alert?: AlertFacts | undefined;
  /** Of a summary of several. */
  digest?: DigestFacts | undefined;
  /** Somebody tries the webhook. */
  isTest?: boolean;
  /** When it was written. */
  time: Date;
}

/** A request's path and body. */
export interface WebhookRequest {
  url: URL;
  body: unknown;
}

const typeOf = ({ alert, isTest = false }: WebhookNotice): string => {
  if (isTest) return "webhook.test";
  if (!alert) return "alert.summary";
  if (alert.isBackToNormal) return "alert.cleared";
  return alert.minutes === undefined ? "alert.raised" : "alert.reminder";
};

const iso = (time: number): string => new Date(time).toISOString();

const alertData = (alert: AlertFacts) => ({
  alertId: alert.alertId ?? null,
  rule: alert.alarmName,
  priority: alert.priority ?? null,
  plant: alert.plantName,
  deviceId: alert.deviceSnId,
  device: alert.deviceName,
  channel: alert.channelName,
  value: alert.value,
  unit: alert.unit,
  threshold: alert.threshold,
  message: alert.msg,
  whatToDo: alert.response ?? "",
  raised: iso(alert.time),
  cleared: alert.clearedTime === undefined ? null : iso(alert.clearedTime),
});

const dataOf = ({ letter, alert, digest }: WebhookNotice) => ({
  title: letter.subject,
  text: letter.paragraphs.join("\n"),
  // The facts of a summary are its alerts, of which several may have one time.
  facts: digest ? {} : Object.fromEntries(letter.facts ?? []),
  url: letter.action?.url ?? null,
  alert: alert ? alertData(alert) : null,
  ...(digest && { alerts: digest.alerts.map(alertData), more: digest.more }),
});

/** The newest alerts of a summary as lines of text, at most so many; a chat takes no thousand. */
const linesOf = ({ digest }: WebhookNotice, most: number): string[] => {
  if (!digest) return [];
  const shown = digest.alerts.slice(-most);
  const left = digest.alerts.length - shown.length + digest.more;
  const lines = shown.map((alert) => lineOf(alert).join("  "));
  return left > 0 ? [`${left} earlier ones are in the alert log`, ...lines] : lines;
};

/** Slack and Teams show about so many lines without hiding the rest, ntfy takes 4 kB. */
const mostOfChat = 50;
const mostOfNtfy = 25;

/** A message as Standard Webhooks has it. */
const standardBody = (notice: WebhookNotice) => ({
  type: typeOf(notice),
  timestamp: notice.time.toISOString(),
  data: dataOf(notice),
});

/** What has become of an alert, as a webhook of the format Standard Webhooks gets it. `time`: when the server learned of it. */
export const alertEvent = (alert: AlertFacts, time: Date, publicUrl: string) =>
  standardBody({ letter: alertLetter(alert, { publicUrl, recipient: "" }), alert, time });

/** Slack's control characters; anything else is text. */
const slackText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const slackBody = (notice: WebhookNotice) => {
  const { subject, paragraphs, action } = notice.letter;
  const lines = [...paragraphs, ...linesOf(notice, mostOfChat)].map(slackText);
  const link = action ? [`<${action.url}|${slackText(action.label)}>`] : [];
  return { text: [`*${slackText(subject)}*`, ...lines, ...link].join("\n") };
};

/** Markdown's characters are escaped: names come from users and devices. */
const plain = (text: string): string => text.replace(/[\\`*_[\]()#~|>-]/g, "\\$&");

const teamsBody = (notice: WebhookNotice) => {
  const { subject, paragraphs, facts: all = [], action } = notice.letter;
  const facts = notice.digest ? [] : all;
  const text = (line: string, more: object = {}) => ({ type: "TextBlock", text: plain(line), wrap: true, ...more });
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [
      text(subject, { weight: "Bolder", size: "Medium" }),
      ...[...paragraphs, ...linesOf(notice, mostOfChat)].map((line) => text(line)),
      { type: "FactSet", facts: facts.map(([title, value]) => ({ title, value: plain(value) })) },
    ],
    actions: action ? [{ type: "Action.OpenUrl", title: action.label, url: action.url }] : [],
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card }],
  };
};

const ntfyPriorities: Record<AlertPriority, number> = {
  [AlertPriority.high]: 5,
  [AlertPriority.medium]: 4,
  [AlertPriority.low]: 3,
};

/** A part of an address as text; as it is written where a percent sign begins no code. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** ntfy takes JSON at its root, with the topic in it. */
const ntfyRequest = (url: URL, notice: WebhookNotice): WebhookRequest => {
  const { letter, alert } = notice;
  const parts = url.pathname.split("/").filter(Boolean);
  const root = new URL(url);
  root.pathname = `/${parts.slice(0, -1).join("/")}`;
  const { subject, paragraphs, action } = letter;
  const open = action && { click: action.url, actions: [{ action: "view", label: action.label, url: action.url }] };
  const priority = ntfyPriorities[alert?.priority ?? AlertPriority.low];
  const message = [...paragraphs, ...linesOf(notice, mostOfNtfy)].join("\n");
  const topic = decoded(parts.at(-1) ?? "");
  return { url: root, body: { topic, title: subject, message, priority, ...open } };
};

/** The request of a message in the webhook's format. */
export const webhookRequest = (format: WebhookFormat, address: string, notice: WebhookNotice): WebhookRequest => {
  const url = new URL(address);
  switch (format) {
    case WebhookFormat.slack:
      return { url, body: slackBody(notice) };
    case WebhookFormat.teams:
      return { url, body: teamsBody(notice) };
    case WebhookFormat.ntfy:
      return ntfyRequest(url, notice);
    case WebhookFormat.standard:
      return { url, body: standardBody(notice) };
  }
};
