import { AlertClass, type LoggedAlert } from "@telltale/contract/domains/alerts";

/** A call's filters as its query has them. */
export type AlertFilter = Readonly<Record<string, unknown>>;

/** Whether a filter shows an alert; undefined where only the server can tell. */
type Shown = boolean | undefined;

const isOneOf = (value: number, wanted: unknown): Shown =>
  Array.isArray(wanted) ? wanted.length === 0 || wanted.includes(value) : undefined;

/** Letters without case, and those whose case the server and the browser tell alike. */
const plain = /^[ -~]*$/;

const contains = (text: string | null, part: unknown): Shown => {
  if (typeof part !== "string") return undefined;
  if (part.trim() === "") return true;
  if (text === null) return false;
  return plain.test(text + part) ? text.toLowerCase().includes(part.trim().toLowerCase()) : undefined;
};

const isFrom = (time: Date | null, from: unknown): Shown =>
  from instanceof Date ? time !== null && time >= from : undefined;

/** As the server has it: what was confirmed or cleared by then was also triggered by then. */
const isUntil = (time: Date | null, to: unknown, created: Date): Shown =>
  to instanceof Date ? time !== null && time <= to && created <= to : undefined;

const hasPassed = ({ acceptTime, modifiedTime, wasSilent, alarmClass }: LoggedAlert): boolean =>
  modifiedTime !== null && acceptTime === null && !wasSilent && alarmClass !== AlertClass.notification;

const byName: Readonly<Record<string, (alert: LoggedAlert, wanted: unknown) => Shown>> = {
  status: (alert, wanted) => isOneOf(alert.status, wanted),
  priority: (alert, wanted) => isOneOf(alert.priority, wanted),
  alarmClass: (alert, wanted) => isOneOf(alert.alarmClass, wanted),
  alarmType: (alert, wanted) => isOneOf(alert.alarmType, wanted),
  channelName: (alert, wanted) => contains(alert.channelName, wanted),
  deviceName: (alert, wanted) => contains(alert.deviceName, wanted),
  deviceSnId: (alert, wanted) => contains(alert.deviceSnId, wanted),
  interval: (alert, wanted) => (typeof wanted === "number" ? alert.interval === wanted : undefined),
  createdStartTime: (alert, wanted) => isFrom(alert.createdTime, wanted),
  createdEndTime: (alert, wanted) => isUntil(alert.createdTime, wanted, alert.createdTime),
  confirmStartTime: (alert, wanted) => isFrom(alert.acceptTime, wanted),
  confirmEndTime: (alert, wanted) => isUntil(alert.acceptTime, wanted, alert.createdTime),
  modifyStartTime: (alert, wanted) => isFrom(alert.modifiedTime, wanted),
  modifyEndTime: (alert, wanted) => isUntil(alert.modifiedTime, wanted, alert.createdTime),
  passedSince: (alert, wanted) => (hasPassed(alert) ? isFrom(alert.createdTime, wanted) : false),
  // By e-mail, too, which the alert does not have.
  email: (alert) => (alert.acceptTime === null ? false : undefined),
};

/** Filters by what an alert keeps: what they show of it does not change. */
const lasting: ReadonlySet<string> = new Set([
  "priority",
  "alarmClass",
  "alarmType",
  "channelName",
  "deviceName",
  "deviceSnId",
  "interval",
  "createdStartTime",
  "createdEndTime",
]);

/** The filters that are set. */
const inForce = (filter: AlertFilter): [string, unknown][] =>
  Object.entries(filter).filter(([, wanted]) => wanted !== undefined);

/** Whether the filters show an alert, as the server has it; undefined where only the server can tell. */
export const isShownBy = (alert: LoggedAlert, filter: AlertFilter): Shown => {
  const shown = inForce(filter).map(([name, wanted]) => byName[name]?.(alert, wanted));
  if (shown.includes(false)) return false;
  return shown.includes(undefined) ? undefined : true;
};

/** Whether what the filters show of an alert can change. */
export const canChange = (filter: AlertFilter): boolean => inForce(filter).some(([name]) => !lasting.has(name));
