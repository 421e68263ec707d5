import type { Step, Target } from "@telltale/contract/domains/alerting/escalation";
import { AlertClass, AlertStatus } from "@telltale/contract/domains/alerts";
import type { AlertMessage, Claim, Recipient } from "../../notify/index.ts";
import { type Ladder, progressAt, type Turn, turnsOf } from "./ladder.ts";

/** A plan that alerts follow. */
export interface EscalationPlan extends Ladder {
  steps: readonly Step[];
  backToNormal: boolean;
  backToNormalBySms: boolean;
}

/** An alert whose plan has something to do. Times are epoch milliseconds. */
export interface DueAlert {
  alertId: number;
  alarmClass: AlertClass;
  status: AlertStatus;
  isCleared: boolean;
  isSilenced: boolean;
  /** Its rule is switched off: nobody is notified. */
  isOff: boolean;
  started: number;
  position: number;
  /** When it was due, as PostgreSQL writes it. */
  due: string;
  /** It was over before the server learned of it. */
  wasOver: boolean;
  /** Undefined only while a plan is being deleted. */
  plan: EscalationPlan | undefined;
  /** The recipients whom its rule names. */
  own: readonly Recipient[];
}

/** What is to be done about an alert. */
export interface Outcome {
  claim: Claim;
  messages: AlertMessage[];
}

type AddressesOf = (target: Target) => Recipient[];

const claimOf = ({ alertId, position, due }: DueAlert, more: Partial<Claim>): Claim => ({
  alertId,
  was: position,
  wasDue: due,
  position,
  due: undefined,
  isEnd: false,
  mustWait: false,
  backToNormal: "nobody",
  ...more,
});

interface Said {
  round: number;
  minutes?: number;
  isOver?: boolean;
}

const messagesTo = (
  { alertId }: DueAlert,
  { own, ofPlan }: { own: readonly Recipient[]; ofPlan: readonly Recipient[] },
  { round, minutes, isOver = false }: Said,
): AlertMessage[] =>
  [...own.map((to) => ({ ...to, isOfPlan: false })), ...ofPlan.map((to) => ({ ...to, isOfPlan: true }))].map((to) => ({
    ...to,
    ...{ alertId, round, minutes, isOver },
  }));

/** The people of the steps that come at once. */
const atOnce = ({ plan }: DueAlert, addressesOf: AddressesOf): Recipient[] =>
  plan?.steps[0]?.after === 0 ? plan.steps[0].to.flatMap(addressesOf) : [];

const backToNormalOf = ({ plan }: DueAlert): Claim["backToNormal"] => {
  if (plan?.backToNormal === false) return "nobody";
  return plan?.backToNormalBySms ? "everybody" : "withoutSms";
};

/** It has cleared: whoever was notified learns that, and who was not yet, that it came and went. */
const endOf = (alert: DueAlert, addressesOf: AddressesOf): Outcome => {
  const isEvent = alert.alarmClass === AlertClass.notification && alert.position === 0;
  const isFirst = alert.position === 0;
  const people = { own: alert.wasOver ? alert.own : [], ofPlan: isFirst ? atOnce(alert, addressesOf) : [] };
  return {
    claim: claimOf(alert, { isEnd: true, backToNormal: isEvent || alert.wasOver ? "nobody" : backToNormalOf(alert) }),
    messages: isFirst ? messagesTo(alert, people, { round: 0, isOver: !isEvent }) : [],
  };
};

/** The first turn from this one on that reaches somebody: a step that does not, such as a gap of a roster, is followed by the next at once. */
const reachedBy = (
  { plan }: DueAlert,
  turns: readonly Turn[],
  from: number,
  addressesOf: AddressesOf,
): { people: Recipient[]; last: number } | undefined => {
  for (let at = from; at < turns.length; at++) {
    const people = plan?.steps[turns[at]?.step ?? 0]?.to.flatMap(addressesOf) ?? [];
    if (people.length > 0) return { people, last: at };
  }
  return undefined;
};

const minute = 60_000;
/** When a plan that reaches nobody is tried again, milliseconds. */
const again = 5 * minute;

/** It waits to be confirmed: the turn that is due notifies. */
const turnOf = (alert: DueAlert, now: number, addressesOf: AddressesOf): Outcome => {
  const turns = alert.plan ? turnsOf(alert.plan) : [];
  const { turn, position, due } = progressAt(turns, alert.position, alert.started, now);
  if (!turn) return { claim: claimOf(alert, { position, due }), messages: [] };
  const reached = reachedBy(alert, turns, position - 1, addressesOf);
  // Nobody is there now: the same turn again, until somebody is.
  if (!reached) return { claim: claimOf(alert, { due: now + again }), messages: [] };
  const { people, last } = reached;
  const after = last + 1;
  const next = turns[after];
  const isFirst = turn.step === 0 && turn.round === 0;
  const minutes = isFirst ? 0 : Math.round((now - alert.started) / minute);
  // The rule's own recipients were notified when it was raised, and are again in each later round.
  const own = turn.round > 0 ? alert.own : [];
  return {
    claim: claimOf(alert, {
      position: after,
      due: next && Math.max(alert.started + next.after * minute, now),
      mustWait: true,
    }),
    messages: messagesTo(
      alert,
      { own, ofPlan: people },
      minutes > 0 ? { round: turn.round, minutes } : { round: turn.round },
    ),
  };
};

/** What is to be done about an alert at `now` (epoch milliseconds). `addressesOf` tells whom a target stands for now. */
export const outcomeOf = (alert: DueAlert, now: number, addressesOf: AddressesOf): Outcome => {
  if (alert.isOff) return { claim: claimOf(alert, { isEnd: true }), messages: [] };
  // The plan begins again when the silence ends by itself.
  if (alert.isSilenced && !alert.isCleared) return { claim: claimOf(alert, {}), messages: [] };
  if (alert.isCleared)
    return alert.isSilenced ? { claim: claimOf(alert, { isEnd: true }), messages: [] } : endOf(alert, addressesOf);
  if (alert.status !== AlertStatus.triggered) return { claim: claimOf(alert, {}), messages: [] };
  return turnOf(alert, now, addressesOf);
};
