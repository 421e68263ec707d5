import { reportLimits } from "@telltale/contract/domains/alerting/report";

/** A time in which alerts came faster than they can be read. Times are epoch milliseconds. */
export interface Flood {
  from: number;
  to: number;
  total: number;
  /** Its first alert. */
  first: number;
}

const { period, floodOver, floodUnder } = reportLimits;

interface Raised {
  ts: number;
  alertId: number;
}

/**
 * Finds floods in alerts given in the order of their times. A flood begins when more than 10 alerts were raised within 10 minutes, with the first of
 * them; it ends as soon as the last 10 minutes have fewer than 5. An alert belongs to one flood at most.
 */
export const createFloods = () => {
  const floods: Flood[] = [];
  /** Alerts of the last 10 minutes; those before `head` have left them. */
  let recent: Raised[] = [];
  let head = 0;
  let open: Flood | undefined;
  let lastEnd = Number.NEGATIVE_INFINITY;

  /** Lets time pass until `now`. */
  const pass = (now: number): void => {
    for (let oldest = recent[head]; oldest && oldest.ts <= now - period; oldest = recent[head]) {
      head += 1;
      if (!open || recent.length - head >= floodUnder) continue;
      lastEnd = oldest.ts + period;
      floods.push({ ...open, to: lastEnd });
      open = undefined;
    }
    if (head > 1000) {
      recent = recent.slice(head);
      head = 0;
    }
  };

  const add = (ts: number, alertId: number): void => {
    pass(ts);
    recent.push({ ts, alertId });
    if (open) {
      open.total += 1;
      return;
    }
    if (recent.length - head <= floodOver) return;
    const own = recent.slice(head).filter((alert) => alert.ts >= lastEnd);
    const [first] = own;
    if (first) open = { from: first.ts, to: ts, total: own.length, first: first.alertId };
  };

  /** The floods until `end`; the last one may go on beyond it. */
  const until = (end: number): Flood[] => {
    pass(end);
    return open ? [...floods, { ...open, to: end }] : floods;
  };
  return { add, until };
};
