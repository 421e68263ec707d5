import type { AuditChange } from "@telltale/contract/domains/audit";
import { spelledOut } from "@telltale/contract/text/field-words";
import { dollars } from "../../ui/format/money.ts";
import { dateTime, missing } from "../../ui/format/time.ts";

/** Fields whose screen label is not their spelled-out name. */
const fieldLabels: Readonly<Record<string, string>> = {
  roleType: "User type",
  dashboardId: "Dashboard",
  alarmIds: "Alerts",
  deviceSnId: "Device ID",
  deviceId: "Device",
  orderSn: "Order",
  cents: "Amount",
  startTime: "From",
  endTime: "To",
  endsTime: "Ends",
  expireTime: "Paid until",
  isAdded: "New to the plant",
  isNew: "New user",
};

const isMoment = (text: string): boolean => /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text);

const valueText = (field: string, value: string | null): string => {
  if (value === null) return missing;
  if (field === "changed") return value.split(", ").map(spelledOut).join(", ");
  if (field === "cents") return dollars(Number(value));
  return isMoment(value) ? dateTime(new Date(value)) : value;
};

/** A change as text: the field, its previous value if any, and its new value. */
export const changeText = ({
  field,
  before,
  after,
}: AuditChange): { field: string; before?: string; after: string } => ({
  field: fieldLabels[field] ?? spelledOut(field),
  ...(before === null ? {} : { before: valueText(field, before) }),
  after: valueText(field, after),
});
