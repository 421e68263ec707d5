import { z } from "zod";
import { type Access, get, post } from "../../call/call.ts";
import { page, pageQuery } from "../../call/paging.ts";
import * as wire from "../../call/wire.ts";
import { ChannelValue } from "../channels.ts";

/** Pages that shortcuts can open, by path. The labels are shown in the list; `needs` is the page's permission. */
export const shortcutPages = {
  "/": { label: "Dashboard", needs: "dashboard.read" },
  "/alarms": { label: "Alerts", needs: "alerts.read" },
  "/alarms/notifications": { label: "Notifications", needs: "alerts.read" },
  "/devices": { label: "Devices", needs: "devices.list" },
  "/devicesHistory": { label: "Download history", needs: "downloads.read" },
  "/personal": { label: "Watchlist", needs: "personal.read" },
  "/joint": { label: "Joint control", needs: "joint.read" },
  "/users": { label: "Users", needs: "users.read" },
  "/sms": { label: "SMS", needs: "sms.read" },
  "/configureDashboard": { label: "Configure dashboards", needs: "configuration.dashboards" },
  "/configureAlarm": { label: "Configure alerts", needs: "alarms.read" },
  "/configureAlarmNotifyUser": { label: "Configure contacts", needs: "contacts.read" },
  "/configureBridges": { label: "Configure bridges", needs: "bridges.read" },
  "/configureDevices": { label: "Configure devices", needs: "configuration.read" },
  "/configureEscalation": { label: "Configure escalation", needs: "escalation.read" },
  "/configureProvisioning": { label: "Configure provisioning", needs: "provisioning.read" },
  "/configureWebhooks": { label: "Configure webhooks", needs: "webhooks.read" },
  "/configureUsers": { label: "Configure users", needs: "users.read" },
  "/audit": { label: "Audit log", needs: "audit.read" },
  "/support": { label: "Support", needs: "support.read" },
  "/keyboard": { label: "Keyboard shortcuts", needs: "personal.read" },
  "/name": { label: "Member info", needs: "session" },
} as const satisfies Record<string, { label: string; needs: Exclude<Access, "public" | "member"> }>;
export type ShortcutPage = keyof typeof shortcutPages;

/** What a shortcut does on the open page. */
export const shortcutActions = {
  help: "Show the keyboard shortcuts",
  filter: "Go to the first filter or search field",
  refresh: "Refresh this page",
  confirmAll: "Confirm all alerts",
  silence: "Silence the sound, without confirming",
  add: "Add an entry to the list",
  theme: "Switch between light and dark",
  wall: "Show the dashboard on the whole screen",
} as const;
export type ShortcutAction = keyof typeof shortcutActions;

/** A page's path or an action's name. */
export type ShortcutTarget = ShortcutPage | ShortcutAction;

/** Whether a target is a page rather than an action. */
export const isShortcutPage = (target: string): target is ShortcutPage => Object.hasOwn(shortcutPages, target);
export const isShortcutAction = (target: string): target is ShortcutAction => Object.hasOwn(shortcutActions, target);

/** The label of a shortcut's target. */
export const targetLabel = (target: string): string => {
  if (isShortcutPage(target)) return shortcutPages[target].label;
  return isShortcutAction(target) ? shortcutActions[target] : target;
};

/** Most keys of one shortcut, and most shortcuts of one user. */
export const maxShortcutKeys = 3;
export const maxShortcuts = 50;

/** The built-in shortcuts, each as the keys to press in sequence. */
export const standardShortcuts: readonly { keys: string; target: ShortcutTarget }[] = [
  { keys: "?", target: "help" },
  { keys: "/", target: "filter" },
  { keys: "r", target: "refresh" },
  { keys: "n", target: "add" },
  { keys: "c", target: "confirmAll" },
  { keys: "s", target: "silence" },
  { keys: "t", target: "theme" },
  { keys: "f", target: "wall" },
  { keys: "g d", target: "/" },
  { keys: "g a", target: "/alarms" },
  { keys: "g n", target: "/alarms/notifications" },
  { keys: "g e", target: "/devices" },
  { keys: "g w", target: "/personal" },
  { keys: "g j", target: "/joint" },
  { keys: "g u", target: "/users" },
  { keys: "g k", target: "/keyboard" },
  { keys: "g m", target: "/name" },
];

/** The name of a key in shortcuts: the character it produces, letters in lower case, whatever the layout. Undefined for keys without one. */
export const keyName = (key: string): string | undefined => {
  if ([...key].length !== 1 || key.trim() === "") return undefined;
  return key.toLowerCase();
};

/** The first shortcut that is ambiguous with these keys: equal, or one is a prefix of the other. */
export const conflicting = <T extends { keys: string }>(keys: string, others: readonly T[]): T | undefined =>
  others.find((other) => `${other.keys} `.startsWith(`${keys} `) || `${keys} `.startsWith(`${other.keys} `));

/** Says which shortcut already uses these keys. */
export const conflictMessage = (other: { keys: string; target: string }): string =>
  `${other.keys} is taken: ${targetLabel(other.target)}. No shortcut may begin another`;

const pressKeys = "Press one to three keys";

const areKeys = (text: string): boolean => {
  const keys = text.split(" ");
  return keys.length <= maxShortcutKeys && keys.every((key) => keyName(key) === key);
};

const keysField = z.string({ error: pressKeys }).trim().refine(areKeys, { error: pressKeys });

const targetField = z
  .string({ error: "Choose a page or an action" })
  .refine((target) => isShortcutPage(target) || isShortcutAction(target), {
    error: "Choose a page or an action",
  });

/** A shortcut that the user has defined. */
export const OwnShortcut = z.object({ shortcutId: z.int(), keys: z.string(), target: z.string() });
export type OwnShortcut = z.output<typeof OwnShortcut>;

/** Built-in and user-defined shortcuts: the same in all accounts of a user. (decisions §4) */
export const keyboard = {
  list: get("/api/keyboard/list", {
    access: "personal.read",
    summary: "Whether shortcuts are on, and the user's own shortcuts",
    result: z.object({ isOn: z.boolean(), shortcuts: z.array(OwnShortcut) }),
  }),
  edit: post("/api/keyboard/edit", {
    access: "personal.write",
    summary: "Creates or updates a shortcut; refused when its keys are taken",
    encoding: "json",
    body: z.object({ shortcutId: z.int32().optional(), keys: keysField, target: targetField }),
    result: z.object({ shortcutId: z.int() }),
  }),
  remove: post("/api/keyboard/delete", {
    access: "personal.write",
    summary: "Deletes one of the user's own shortcuts",
    encoding: "json",
    body: z.object({ shortcutId: z.int32() }),
    result: z.null(),
  }),
  enable: post("/api/keyboard/enable", {
    access: "personal.write",
    summary: "Switches all shortcuts on or off",
    encoding: "json",
    body: z.object({ isOn: z.boolean() }),
    result: z.null(),
  }),
};

/** Most channels on one watchlist. */
export const maxWatchedChannels = 200;

/** A channel of the watchlist with its newest reading. */
export const WatchedChannel = ChannelValue.extend({
  channelName: z.string(),
  channelCn: z.string(),
  deviceId: z.int(),
  deviceName: z.string(),
});
export type WatchedChannel = z.output<typeof WatchedChannel>;

/** A channel that can be added to the watchlist. */
export const WatchChoice = z.object({
  deviceChannelId: z.int(),
  channelName: z.string(),
  channelAnalogId: z.int(),
  deviceName: z.string(),
  deviceSnId: z.string(),
});
export type WatchChoice = z.output<typeof WatchChoice>;

const ids = wire
  .commaList(wire.int("Choose channels from the list"))
  .refine((list) => list.length > 0, { error: "Please select a channel" })
  .refine((list) => list.length <= maxWatchedChannels, {
    error: `A watchlist holds at most ${maxWatchedChannels} channels`,
  });

/** The user's watchlist in the user's own order: one per account, visible to that user only. (decisions §4) */
export const personal = {
  list: get("/api/personal/list", {
    access: "personal.read",
    summary:
      "The user's watchlist in order, with the newest readings; channels that the user may no longer see are omitted",
    result: z.array(WatchedChannel),
  }),
  choices: get("/api/personal/choices", {
    access: "personal.read",
    summary: "Channels that can be added to the watchlist, searched by channel, device name or device ID",
    query: z.object({ ...pageQuery, name: wire.text().optional() }),
    result: page(WatchChoice),
  }),
  add: post("/api/personal/add", {
    access: "personal.write",
    summary: "Appends channels to the watchlist; those already on it keep their place",
    encoding: "json",
    body: z.object({ deviceChannelIds: ids }),
    result: z.null(),
  }),
  order: post("/api/personal/order", {
    access: "personal.write",
    summary: "Reorders the watchlist; all its visible channels must be listed",
    encoding: "json",
    body: z.object({ deviceChannelIds: ids }),
    result: z.null(),
  }),
  remove: post("/api/personal/delete", {
    access: "personal.write",
    summary: "Removes a channel from the watchlist",
    encoding: "json",
    body: z.object({ deviceChannelId: z.int32() }),
    result: z.null(),
  }),
};
