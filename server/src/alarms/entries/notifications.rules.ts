import { type AlertDelivery, type AlertEvent, AlertEventKind } from "@telltale/contract/domains/alerting/entries";

/** A message about an alert. */
export interface Notification {
  /** When it was written. */
  written: Date;
  /** It says that the alert has cleared. */
  isBackToNormal: boolean;
  delivery: AlertDelivery;
}

/** Messages of one notification are written within this time, milliseconds: those of the rule as it is raised, the plan's by a job. Steps are a minute apart. */
const together = 30_000;

const { notified, escalated, backToNormal } = AlertEventKind;

/**
 * The messages about an alert, in the order in which they were written, as events of its timeline: the first ones, each step that followed because nobody had
 * confirmed, and that it is back to normal. `returned`: when silences ended by themselves, by which the plan begins again.
 */
export const notificationEvents = (messages: readonly Notification[], returned: readonly Date[]): AlertEvent[] => {
  const events: AlertEvent[] = [];
  for (const { written, isBackToNormal, delivery } of messages) {
    const before = events.findLast(({ kind }) => (kind === backToNormal) === isBackToNormal);
    if (before && written.getTime() - before.time.getTime() < together) {
      before.deliveries.push(delivery);
      continue;
    }
    const isAnew = !before || returned.some((time) => time > before.time && time <= written);
    const kind = isBackToNormal ? backToNormal : isAnew ? notified : escalated;
    events.push({ kind, time: written, by: null, to: null, note: "", deliveries: [delivery] });
  }
  return events;
};
