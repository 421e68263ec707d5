import type { AuditChange } from "@telltale/contract/domains/audit";
import { Role, roleNames } from "@telltale/contract/permissions";

/** An entry's `detail`, as it was written: facts, and with `before` and `after` what was changed. */
export type Detail = Readonly<Record<string, unknown>>;

/** Names of what an entry speaks of by number, by what it is. */
export type Names = Readonly<Record<string, ReadonlyMap<number, string>>>;

type Kind = "accountId" | "dashboardId" | "deviceId" | "alarmId";

/** The fields whose numbers stand for something with a name, each with what that is. */
const namedBy: Readonly<Record<string, Kind>> = {
  accountId: "accountId",
  dashboardId: "dashboardId",
  deviceId: "deviceId",
  alarmId: "alarmId",
  alarmIds: "alarmId",
};

const roles: readonly unknown[] = Object.values(Role);
const isRole = (value: unknown): value is Role => roles.includes(value);

const isPlain = (value: unknown): value is Detail =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Something that has been removed since is known by its number only. */
const nameOf = (field: string, value: number, names: Names): string | undefined => {
  const kind = namedBy[field];
  return kind && (names[kind]?.get(value) ?? `#${value}`);
};

/** One value in words; null for none. */
const wordsOf = (field: string, value: unknown, names: Names): string | null => {
  if (value === undefined || value === null || value === "") return null;
  if (Array.isArray(value)) return value.map((each) => wordsOf(field, each, names) ?? "").join(", ") || null;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (field === "roleType") return isRole(value) ? roleNames[value] : String(value);
  if (typeof value === "number") return nameOf(field, value, names) ?? String(value);
  if (isPlain(value)) {
    const parts = Object.entries(value).map(([key, part]) => `${key} ${wordsOf(key, part, names) ?? "--"}`);
    return parts.join(", ") || null;
  }
  return String(value);
};

/** What says who or what it was done to, the first that is there. */
const targets = ["target", "accountId", "deviceId", "dashboardId", "alarmId"];

/** Neither a fact about what was done: the target, and what has a field of its own in the row. */
const unsaid = new Set([...targets, "before", "after", "madeBy"]);

/** What an entry tells of besides who and when: to whom it was done, and each field that is different since. */
export const tellOf = (detail: Detail, names: Names): { target: string; changes: AuditChange[] } => {
  const targetField = targets.find((field) => detail[field] !== undefined && detail[field] !== null);
  const { before, after } = detail;
  const [old, now] = [isPlain(before) ? before : {}, isPlain(after) ? after : {}];
  const compared = [...new Set([...Object.keys(old), ...Object.keys(now)])].map((field) => ({
    field,
    before: wordsOf(field, old[field], names),
    after: wordsOf(field, now[field], names),
  }));
  const facts = Object.keys(detail)
    .filter((field) => !unsaid.has(field))
    .map((field) => ({ field, before: null, after: wordsOf(field, detail[field], names) }));
  return {
    target: targetField === undefined ? "" : (wordsOf(targetField, detail[targetField], names) ?? ""),
    changes: [...compared, ...facts].filter((change) => change.before !== change.after),
  };
};

/** The numbers that entries speak of, by what they are. */
export const numbersIn = (details: readonly Detail[]): Readonly<Record<Kind, number[]>> => {
  const found: Record<Kind, number[]> = { accountId: [], dashboardId: [], deviceId: [], alarmId: [] };
  const look = (part: Detail): void => {
    for (const [field, value] of Object.entries(part)) {
      const kind = namedBy[field];
      for (const each of Array.isArray(value) ? value : [value]) {
        if (kind && typeof each === "number") found[kind].push(each);
        if (isPlain(each)) look(each);
      }
    }
  };
  for (const detail of details) look(detail);
  return found;
};
