import { AlertPriority, type AlertRow } from "@telltale/contract/domains/alerts";

type Sounding = Pick<AlertRow, "alarmLogId" | "priority">;

/** Stands for the lost live connection among the silenced alerts, whose ids begin at 1. */
export const lostConnection = 0;

/** The priority of the most urgent alert that was not known before; undefined when none is new. */
export const mostUrgentNew = (alerts: readonly Sounding[], known: ReadonlySet<number>): AlertPriority | undefined => {
  const priorities = alerts.flatMap(({ alarmLogId, priority }) => (known.has(alarmLogId) ? [] : [priority]));
  return priorities.toSorted((a, b) => a - b)[0];
};

/** The P1 alerts that sound again and again: nobody has confirmed them, nor silenced them in this browser. */
export const repeating = <A extends Sounding>(alerts: readonly A[], silenced: readonly number[]): A[] =>
  alerts.filter(({ alarmLogId, priority }) => priority === AlertPriority.high && !silenced.includes(alarmLogId));

/** What stays silenced: an alert that comes back after it had left, as from a shelf, sounds again; so does the next lost connection. */
export const stillSilenced = (
  silenced: readonly number[],
  { alerts, isLost }: { alerts: readonly Sounding[]; isLost: boolean },
): readonly number[] => {
  const present = new Set(alerts.map(({ alarmLogId }) => alarmLogId));
  const kept = silenced.filter((id) => (id === lostConnection ? isLost : present.has(id)));
  return kept.length === silenced.length ? silenced : kept;
};
