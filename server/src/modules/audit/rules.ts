import type { AuditChange } from "@telltale/contract/domains/audit";
import { Role, roleNames } from "@telltale/contract/permissions";

/** The `detail` of an entry as stored: facts, and changes as `before` and `after`. */
export type Detail = Readonly<Record<string, unknown>>;

/** Names by kind and id. */
export type Names = Readonly<Record<string, ReadonlyMap<number, string>>>;

type Kind = "accountId" | "dashboardId" | "deviceId" | "alarmId";

/** Fields whose ids have a name, with their kind. */
const namedBy: Readonly<Record<string, Kind>> = {
  accountId: "accountId",
  dashboardId: "dashboardId",
  deviceId: "deviceId",
  deviceIds: "deviceId",
  alarmId: "alarmId",
  alarmIds: "alarmId",
};

const roles: readonly unknown[] = Object.values(Role);
const isRole = (value: unknown): value is Role => roles.includes(value);

const isPlain = (value: unknown): value is Detail =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The name of an id; undefined when it has been deleted since. */
const nameOf = (field: string, value: number, names: Names): string | undefined => {
  const kind = namedBy[field];
  return kind && (names[kind]?.get(value) ?? `#${value}`);
};

/** A value as text; null for none. */
const valueText = (field: string, value: unknown, names: Names): string | null => {
  if (value === undefined || value === null || value === "") return null;
  if (Array.isArray(value)) return value.map((each) => valueText(field, each, names) ?? "").join(", ") || null;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (field === "roleType") return isRole(value) ? roleNames[value] : String(value);
  if (typeof value === "number") return nameOf(field, value, names) ?? String(value);
  if (isPlain(value)) {
    const parts = Object.entries(value).map(([key, part]) => `${key} ${valueText(key, part, names) ?? "--"}`);
    return parts.join(", ") || null;
  }
  return String(value);
};

/** Fields that name the target of an action, in order of preference. */
const targets = ["target", "accountId", "deviceId", "dashboardId", "alarmId"];

/** Fields that are not listed as facts: the target, and those with a column of their own. */
const unlistedFields = new Set([...targets, "before", "after", "madeBy"]);

/** Target and changed fields of an entry. */
export const describeEntry = (detail: Detail, names: Names): { target: string; changes: AuditChange[] } => {
  const targetField = targets.find((field) => detail[field] !== undefined && detail[field] !== null);
  const { before, after } = detail;
  const [old, now] = [isPlain(before) ? before : {}, isPlain(after) ? after : {}];
  const compared = [...new Set([...Object.keys(old), ...Object.keys(now)])].map((field) => ({
    field,
    before: valueText(field, old[field], names),
    after: valueText(field, now[field], names),
  }));
  const facts = Object.keys(detail)
    .filter((field) => !unlistedFields.has(field))
    .map((field) => ({ field, before: null, after: valueText(field, detail[field], names) }));
  return {
    target: targetField === undefined ? "" : (valueText(targetField, detail[targetField], names) ?? ""),
    changes: [...compared, ...facts].filter((change) => change.before !== change.after),
  };
};

/** The ids that entries refer to, by kind. */
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
