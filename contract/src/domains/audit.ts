import { z } from "zod";
import { get } from "../call/call.ts";
import { page, pageQuery } from "../call/paging.ts";
import * as wire from "../call/wire.ts";
import { spelledOut } from "../text/field-words.ts";

/** Labels of the audited actions. */
const labels: Readonly<Record<string, string>> = {
  "user.join": "Invitation answered",
  "user.register": "Registered",
  "user.identity": "First sign-in by single sign-on",
  "user.groups": "User Type set by groups of single sign-on",
  "account.open": "Account opened",
  "account.alias": "Account renamed",
  "password.change": "Password changed",
  "secondFactor.on": "Two-step sign-in turned on",
  "secondFactor.off": "Two-step sign-in turned off",
  "secondFactor.recoveryCodes": "New recovery codes made",
  "signIns.end": "Signed out elsewhere",
  "order.capture": "Network services purchased",
  "alarm.add": "Alert added",
  "alarm.edit": "Alert changed",
  "alarm.delete": "Alert deleted",
  "alert.confirm": "Alert confirmed",
  "alert.confirmAll": "All alerts confirmed",
  "alert.note": "Note on an alert",
  "alert.assign": "Alert assigned",
  "plan.add": "Escalation plan added",
  "plan.edit": "Escalation plan changed",
  "plan.default": "Default escalation plan changed",
  "plan.delete": "Escalation plan deleted",
  "roster.swap": "Shift swapped",
  "roster.endSwap": "Swap of a shift taken back",
  "silence.add": "Alert silenced",
  "silence.edit": "Silence changed",
  "silence.end": "Silence ended",
  "maintenance.add": "Maintenance planned",
  "maintenance.edit": "Maintenance changed",
  "maintenance.end": "Maintenance ended",
  "push.add": "Pushes to a browser switched on",
  "push.delete": "Pushes to a browser switched off",
  "apiKey.add": "API key made",
  "apiKey.revoke": "API key revoked",
  "sqlUser.add": "SQL user made",
  "sqlUser.remove": "SQL user removed",
  "webhook.rotate": "Webhook's secret replaced",
  "provisioningKey.add": "Provisioning key made",
  "provisioningKey.revoke": "Provisioning key revoked",
  "device.restart": "Device restarted by command",
  "device.check": "Third-party device checked",
  "firmware.update": "Firmware update begun",
  "firmware.rollback": "Firmware rollback begun",
  "joint.add": "Joint control added",
  "joint.edit": "Joint control changed",
  "joint.enable": "Joint control enabled",
  "joint.disable": "Joint control disabled",
  "joint.delete": "Joint control deleted",
  "watchlist.add": "Channels put on the watchlist",
  "watchlist.order": "Watchlist put in order",
  "watchlist.delete": "Channel taken off the watchlist",
  "shortcut.enable": "Keyboard shortcuts switched on",
  "shortcut.disable": "Keyboard shortcuts switched off",
  "packages.remove": "Old data packages removed",
  "readings.keep": "Time for which readings are kept changed",
  "readings.notice": "Storage space used up",
  "readings.import": "Import of readings begun",
  "readings.summarise": "Old readings made summaries of hours",
  "support.link": "Link for support made",
  "support.open": "Support view opened",
  "support.end": "Support view ended",
  "support.download": "Readings downloaded",
};

const participles: Readonly<Record<string, string>> = {
  add: "added",
  edit: "changed",
  update: "changed",
  delete: "deleted",
  invite: "invited",
  enable: "enabled",
  disable: "disabled",
  ask: "asked once more",
  verify: "verified",
  refuse: "refused",
};

/** The label of an action: `user.delete` is "User deleted". */
export const auditActionLabel = (action: string): string => {
  const [subject = "", verb = ""] = action.split(".");
  return labels[action] ?? `${spelledOut(subject)} ${participles[verb] ?? spelledOut(verb).toLowerCase()}`.trim();
};

/** One changed field with its value before and after; null where there was or is none. Times are ISO 8601 text. */
export const AuditChange = z.object({
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type AuditChange = z.output<typeof AuditChange>;

/** One audited action: actor, action and target. */
export const AuditRow = z.object({
  auditId: z.int(),
  createdTime: wire.time(),
  /** The actor; in a support view, the user that support viewed as. Empty for a user who has since been removed, and for a contact. */
  name: z.string(),
  email: z.string(),
  isSupport: z.boolean(),
  /** The actor is a contact, not a user. */
  isContact: z.boolean(),
  /** The actor is the server, as its settings or the owner's say. */
  isServer: z.boolean(),
  /** The operator who opened the support view, when known. */
  madeBy: z.string(),
  /** Domain and verb, for example `user.edit`. */
  action: z.string(),
  /** What the action changed; empty for the actor's own account. */
  target: z.string(),
  changes: z.array(AuditChange),
});
export type AuditRow = z.output<typeof AuditRow>;

/** The plant's audit log. */
export const audit = {
  list: get("/api/audit/list", {
    access: "audit.read",
    summary: "Changes in the plant by user, and support views, newest first",
    query: z.object({
      ...pageQuery,
      /** Part of the action's label or name. */
      action: wire.text().optional(),
      email: wire.text().optional(),
      createdStartTime: wire.rangeStart().optional(),
      createdEndTime: wire.rangeEnd().optional(),
    }),
    result: page(AuditRow),
  }),
};
