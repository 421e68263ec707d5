import { type Plan, type Roster, type Target, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { lastOfMonth } from "@telltale/contract/domains/alerting/maintenance";
import type { Silence } from "@telltale/contract/domains/alerting/silences";
import type { WebhookRow } from "@telltale/contract/domains/alerting/webhooks";
import type { JointRow } from "@telltale/contract/domains/joint";
import type {
  JointControlEntry,
  MaintenanceEntry,
  PlanEntry,
  RosterEntry,
  TargetEntry,
  WebhookEntry,
} from "../document/alerting.ts";
import {
  endingWords,
  formatWords,
  levelWords,
  limitWords,
  repeatWords,
  weekdayWords,
  wordFor,
  wordOf,
} from "../document/words.ts";
import { type Names, namesIn } from "./names.ts";

/** Whom a step notifies; nothing for a target that is no longer there. */
const targetEntry = ({ kind, id }: Target, names: Names): TargetEntry[] => {
  if (kind === TargetKind.managers) return ["managers"];
  const [user, contact] = [names.user.get(id), names.contact.get(id)];
  const [roster, webhook] = [names.roster.get(id), names.webhook.get(id)];
  if (kind === TargetKind.account) return user === undefined ? [] : [{ user }];
  if (kind === TargetKind.contact) return contact === undefined ? [] : [{ contact }];
  if (kind === TargetKind.roster) return roster === undefined ? [] : [{ roster }];
  return webhook === undefined ? [] : [{ webhook }];
};

export const planEntry = (plan: Plan, names: Names): PlanEntry => ({
  default: plan.isDefault,
  steps: plan.steps.map(({ after, to }) => ({ after, notify: to.flatMap((target) => targetEntry(target, names)) })),
  repeat: plan.repeat,
  backToNormal: plan.backToNormal,
  backToNormalBySms: plan.backToNormalBySms,
});

const minutesOfHour = 60;
const clock = (minutes: number): string =>
  [Math.floor(minutes / minutesOfHour), minutes % minutesOfHour]
    .map((figure) => String(figure).padStart(2, "0"))
    .join(":");

/** A roster; without the shifts of people who have left. */
export const rosterEntry = ({ timeZoneId, shifts }: Roster, names: Names): RosterEntry => ({
  timeZone: timeZoneId,
  shifts: shifts.flatMap(({ days, from, to, accountId }) => {
    const who = names.user.get(accountId);
    if (who === undefined) return [];
    return [{ days: days.map((day) => wordOf(weekdayWords, day)), from: clock(from), to: clock(to), who }];
  }),
});

/**
 * A webhook by the environment variable that is to hold its address: for Slack, Teams and many others who knows the address may post there.
 */
const webhookEntry = (row: WebhookRow, variable: string, names: Names): WebhookEntry => ({
  url: { env: variable },
  format: wordOf(formatWords, row.format),
  enabled: row.enabled,
  mayConfirm: row.mayConfirm,
  alerts: namesIn(row.alarmIds, names.alert),
});

/** The webhooks, each with a variable of its own, called after it. */
export const webhookEntries = (rows: ReadonlyMap<string, WebhookRow>, names: Names): Record<string, WebhookEntry> => {
  const taken = new Set<string>();
  const variableOf = (name: string): string => {
    const word = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
    const base = `WEBHOOK_${word.replaceAll(/^_+|_+$/g, "") || "ADDRESS"}`;
    let own = base;
    for (let turn = 2; taken.has(own); turn++) own = `${base}_${turn}`;
    taken.add(own);
    return own;
  };
  return Object.fromEntries(
    [...rows.keys()].toSorted().flatMap((name) => {
      const row = rows.get(name);
      return row ? [[name, webhookEntry(row, variableOf(name), names)]] : [];
    }),
  );
};

export const jointControlEntry = ({ source, output, ...rule }: JointRow, names: Names): JointControlEntry => {
  const alert = source.alarmId === null ? undefined : names.alert.get(source.alarmId);
  const channel = names.channel.get(source.deviceChannelId) ?? "";
  return {
    when: alert === undefined ? { channel, limit: wordOf(limitWords, source.alarmType) } : { alert },
    output: names.channel.get(output.deviceChannelId) ?? "",
    level: wordOf(levelWords, rule.level),
    afterwards: wordOf(endingWords, rule.ending),
    enabled: rule.enabled,
  };
};

export const maintenanceEntry = ({ plan, devices, reason }: Silence, names: Names): MaintenanceEntry => {
  const weekday = wordFor(weekdayWords, plan?.weekday ?? null);
  const nth = plan?.nth ?? null;
  const ids = devices.map(({ deviceId }) => deviceId);
  return {
    devices: namesIn(ids, names.device),
    repeat: wordOf(repeatWords, plan?.repeat ?? 0),
    ...(weekday && { weekday }),
    ...(nth !== null && { nth: nth === lastOfMonth ? ("last" as const) : nth }),
    from: plan?.from ?? "",
    to: plan?.to ?? "",
    daysLater: plan?.daysLater ?? 0,
    timeZone: plan?.timeZoneId ?? "",
    reason,
  };
};
