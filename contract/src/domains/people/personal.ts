import { z } from "zod";
import { type Access, get, post } from "../../call/call.ts";
import { page, pageQuery } from "../../call/paging.ts";
import * as wire from "../../call/wire.ts";
import { ChannelValue } from "../channels.ts";

/** What a shortcut opens: a page by its path. The labels are what the list says. `needs` is that of the page. */
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
  "/configureDevices": { label: "Configure devices", needs: "configuration.read" },
  "/configureUsers": { label: "Configure users", needs: "users.read" },
  "/audit": { label: "Audit log", needs: "audit.read" },
  "/support": { label: "Support", needs: "support.read" },
  "/keyboard": { label: "Keyboard shortcuts", needs: "personal.read" },
  "/name": { label: "Member info", needs: "session" },
} as const satisfies Record<string, { label: string; needs: Exclude<Access, "public"> }>;
export type ShortcutPage = keyof typeof shortcutPages;

/** What a shortcut does on the page that is open. */
export const shortcutActions = {
  help: "Show the keyboard shortcuts",
  filter: "Go to the first filter or search field",
  refresh: "Refresh what is shown",
  confirmAll: "Confirm all alerts",
  add: "Add something to the list",
  theme: "Switch between light and dark",
} as const;
export type ShortcutAction = keyof typeof shortcutActions;

/** A page's path or an action's name. */
export type ShortcutTarget = ShortcutPage | ShortcutAction;

/** Whether a target is a page that shortcuts open, or what a shortcut does. */
export const isShortcutPage = (target: string): target is ShortcutPage => Object.hasOwn(shortcutPages, target);
export const isShortcutAction = (target: string): target is ShortcutAction => Object.hasOwn(shortcutActions, target);

/** What the target is called. */
export const targetLabel = (target: string): string => {
  if (isShortcutPage(target)) return shortcutPages[target].label;
  return isShortcutAction(target) ? shortcutActions[target] : target;
};

/** Most keys of one shortcut, and shortcuts of one's own. */
export const mostKeys = 3;
export const mostShortcuts = 50;

/** The console's own, each as the keys that are pressed one after the other. */
export const standardShortcuts: readonly { keys: string; target: ShortcutTarget }[] = [
  { keys: "?", target: "help" },
  { keys: "/", target: "filter" },
  { keys: "r", target: "refresh" },
  { keys: "n", target: "add" },
  { keys: "c", target: "confirmAll" },
  { keys: "t", target: "theme" },
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

/** A key as shortcuts name it: the character that it gives, a letter in lower case, whatever the layout. Undefined for every other key. */
export const keyName = (key: string): string | undefined => {
  if ([...key].length !== 1 || key.trim() === "") return undefined;
  return key.toLowerCase();
};

/** The first of these shortcuts that can't be told from the keys: the same, or one begins the other. */
export const conflicting = <T extends { keys: string }>(keys: string, others: readonly T[]): T | undefined =>
  others.find((other) => `${other.keys} `.startsWith(`${keys} `) || `${keys} `.startsWith(`${other.keys} `));

/** Whose keys these are already, in a sentence. */
export const conflictMessage = (other: { keys: string; target: string }): string =>
  `${other.keys} is taken: ${targetLabel(other.target)}. No shortcut may begin another`;

const pressKeys = "Press one to three keys";

const areKeys = (text: string): boolean => {
  const keys = text.split(" ");
  return keys.length <= mostKeys && keys.every((key) => keyName(key) === key);
};

const keysField = z.string({ error: pressKeys }).trim().refine(areKeys, { error: pressKeys });

const targetField = z
  .string({ error: "Choose a page or an action" })
  .refine((target) => isShortcutPage(target) || isShortcutAction(target), {
    error: "Choose a page or an action",
  });

/** A shortcut of one's own. */
export const OwnShortcut = z.object({ shortcutId: z.int(), keys: z.string(), target: z.string() });
export type OwnShortcut = z.output<typeof OwnShortcut>;

/** The console's shortcuts and one's own: the same in every account of a user. (decisions §4) */
export const keyboard = {
  list: get("/api/keyboard/list", {
    access: "personal.read",
    summary: "Whether shortcuts are on, and the shortcuts of one's own",
    result: z.object({ isOn: z.boolean(), shortcuts: z.array(OwnShortcut) }),
  }),
  edit: post("/api/keyboard/edit", {
    access: "personal.write",
    summary: "Makes a shortcut or changes one; refused when its keys are taken",
    encoding: "json",
    body: z.object({ shortcutId: z.int32().optional(), keys: keysField, target: targetField }),
    result: z.object({ shortcutId: z.int() }),
  }),
  remove: post("/api/keyboard/delete", {
    access: "personal.write",
    summary: "Deletes a shortcut of one's own",
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

/** Most channels that one person watches. */
export const mostWatched = 200;

/** A channel of the watchlist with its newest reading. */
export const WatchedChannel = ChannelValue.extend({
  channelName: z.string(),
  channelCn: z.string(),
  deviceId: z.int(),
  deviceName: z.string(),
});
export type WatchedChannel = z.output<typeof WatchedChannel>;

/** A channel that may be put on the watchlist. */
export const WatchChoice = z.object({
  deviceChannelId: z.int(),
  channelName: z.string(),
  channelAnalogId: z.int(),
  deviceName: z.string(),
  deviceSnId: z.string(),
});
export type WatchChoice = z.output<typeof WatchChoice>;

const ids = wire
  .commaList(wire.int("Choose channels of the list"))
  .refine((list) => list.length > 0, { error: "Please select a channel" })
  .refine((list) => list.length <= mostWatched, { error: `A watchlist holds at most ${mostWatched} channels` });

/** The channels that one keeps an eye on, in an order of one's own: of the account in use, for nobody else. (decisions §4) */
export const personal = {
  list: get("/api/personal/list", {
    access: "personal.read",
    summary: "One's watchlist in its order, with the newest readings; what one may not see now is left out",
    result: z.array(WatchedChannel),
  }),
  choices: get("/api/personal/choices", {
    access: "personal.read",
    summary: "Channels that one may see and does not watch, found by channel, device name or device ID",
    query: z.object({ ...pageQuery, name: wire.text().optional() }),
    result: page(WatchChoice),
  }),
  add: post("/api/personal/add", {
    access: "personal.write",
    summary: "Puts channels at the end of the watchlist; those that are on it stay where they are",
    encoding: "json",
    body: z.object({ deviceChannelIds: ids }),
    result: z.null(),
  }),
  order: post("/api/personal/order", {
    access: "personal.write",
    summary: "Puts the watchlist in another order; all channels that are seen on it have to be named",
    encoding: "json",
    body: z.object({ deviceChannelIds: ids }),
    result: z.null(),
  }),
  remove: post("/api/personal/delete", {
    access: "personal.write",
    summary: "Takes a channel off the watchlist",
    encoding: "json",
    body: z.object({ deviceChannelId: z.int32() }),
    result: z.null(),
  }),
};
