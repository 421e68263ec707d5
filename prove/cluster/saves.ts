import type { Client } from "@telltale/contract/call/client";
import { Key } from "@telltale/contract/channel-types/keys";
import { httpPath } from "@telltale/contract/device-api";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import type { RunningServer } from "../../e2e/server-process.ts";
import { addUnit, idsOf } from "../../e2e/unit.ts";
import { inDatabaseAt } from "../database.ts";
import { count, type Finding } from "../finding.ts";
import { owner } from "../fleet.ts";

const value = 50;
/** Limits below and above the value, saved in turns. */
const limits = [30, 80] as const;

const statuses = `
  SELECT count(*) FILTER (WHERE threshold = ${limits[0]}) AS raised, count(*) FILTER (WHERE threshold <> ${limits[0]}) AS wrong
    FROM alerts WHERE channel_id = $1 AND alarm_class = 2`;

/** Limits that are saved at one node, each followed by a reading of another one, which has to be evaluated by them. */
export const savesBetween = async (
  [a, b]: readonly [RunningServer, RunningServer],
  client: Client,
  url: string,
  times: number,
): Promise<Finding> => {
  const unit = await addUnit(a, { owner: owner.email, name: "Saved" });
  const { deviceId, channels } = await idsOf(client, unit.deviceSnId);
  const channelId = channels.AI1 ?? 0;
  const address = `${b.baseURL}${httpPath(unit.accessToken, "telemetry")}`;
  const send = async (): Promise<void> => {
    const { status } = await fetch(address, { method: "POST", body: JSON.stringify({ AI1: value }) });
    if (status !== 200) throw new Error(`A reading was answered ${status}`);
  };
  await send();
  for (let turn = 0; turn < times; turn++) {
    const channelKeys = { [Key.higherAlarm]: limits[turn % limits.length] };
    await client(channelSettings.modify, { deviceId, payload: [{ channelId, channelKeys }] } as never);
    await send();
  }
  const row = await inDatabaseAt(url, async (database) => {
    const found = await database.query<{ raised: number; wrong: number }>(statuses, [channelId]);
    return found.rows[0];
  });
  const { raised = 0, wrong = 0 } = row ?? {};
  // Each time that the limit is below the value an alert is raised, and each other time it is cleared.
  const expected = Math.ceil(times / 2);
  return {
    promise: "A reading is evaluated by the limits that were saved before it, at whichever node",
    counted: `${count(times, "saves")}: ${raised} of ${expected} alerts, ${wrong} by other limits`,
    isKept: raised === expected && wrong === 0,
  };
};
