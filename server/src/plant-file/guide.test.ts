import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Key } from "@telltale/contract/channel-types/keys";
import { settingsByKey } from "@telltale/contract/channel-types/settings";
import { modelPrefixes } from "@telltale/contract/domains/devices";
import { channelCodes } from "@telltale/contract/domains/fleet/provisioning";
import { expect, test } from "vitest";
import { root } from "../platform/installed.ts";
import { selfRegisteringWords } from "./document/words.ts";

const units = { channel: "a number in the channel's unit", seconds: "seconds" };

/** What a setting takes, as the guide says it. */
const valuesOf = (key: Key): string => {
  const { labels, unit } = settingsByKey[key];
  if (labels)
    return Object.entries(labels)
      .map(([value, label]) => `${value} ${label}`)
      .join(", ");
  return unit ? units[unit] : "";
};

test("the guide lists the channels of every model, and every setting with its values", async () => {
  const guide = await readFile(join(root, "docs/guide/programs.md"), "utf8");
  const models = Object.values(selfRegisteringWords).map(
    (model) => `| ${modelPrefixes[model]} | ${channelCodes[model].join(", ")} |`,
  );
  const settings = Object.values(Key).map((key) => `| ${key} | ${valuesOf(key)}`);
  const missing = [...models, ...settings].filter((row) => !guide.includes(row));
  expect(missing).toEqual([]);
});
