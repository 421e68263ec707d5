import { Key } from "@telltale/contract/channel-types/keys";
import { ntcTypes } from "@telltale/contract/channel-types/options";
import { settingsByKey } from "@telltale/contract/channel-types/settings";
import { z } from "zod";

const Setting = z.union([z.number(), z.string(), z.null()], { error: "it is a number, a text or null" });
type Setting = z.output<typeof Setting>;

/** Settings that are a text; the others are numbers. */
const texts: ReadonlySet<Key> = new Set([Key.unit, Key.ntcType, Key.source]);

const listed = (entries: readonly [number | string, string][]): string =>
  entries.map(([value, label]) => `${value} (${label})`).join(", ");

/** What is wrong with a setting's value whatever the channel is; undefined when nothing is. */
const faultOf = (key: Key, value: Setting): string | undefined => {
  const { labels } = settingsByKey[key];
  if (value === null) return undefined;
  if (labels && !(typeof value === "number" && Object.hasOwn(labels, value)))
    return `it is one of ${listed(Object.entries(labels))}`;
  if (key === Key.ntcType && !(typeof value === "string" && Object.hasOwn(ntcTypes, value)))
    return `it is one of ${Object.keys(ntcTypes).join(", ")}`;
  if (texts.has(key)) return typeof value === "string" ? undefined : "it is a text";
  return typeof value === "number" ? undefined : "it is a number, or null for none";
};

/** A channel's settings by the names of the console, each with a value that it can have on some channel. */
export const Settings = z
  .partialRecord(z.enum(Key), Setting)
  .superRefine((settings, context) => {
    for (const key of Object.values(Key)) {
      const value = settings[key];
      const fault = value === undefined ? undefined : faultOf(key, value);
      if (fault !== undefined) context.addIssue({ code: "custom", path: [key], message: fault });
    }
  })
  .describe("By the names of the console; null: none. A source of an output is `DEVICE/CHANNEL High` or `… Low`");
