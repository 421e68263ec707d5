import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { JointEnding, OutputLevel } from "@telltale/contract/domains/joint";
import type { World } from "../world.ts";
import { aDevice } from "./test-devices.ts";
import type { Person } from "./test-people.ts";

type Needs = Pick<World, "db" | "clock">;

/** Creates a joint control, a watchlist and a shortcut of the owner; returns their ids by the calls' field names. */
export const aJointControl = async (world: Needs, owner: Person, sourceChannelId: number) => {
  const { db, clock } = world;
  const relays = await aDevice(world, owner, { model: Model.digitalOutput, deviceType: DeviceType.main });
  const outputChannelId = Number(relays.channels.DO1);
  const now = clock.date();
  const rule = {
    plant_id: owner.plantId,
    name: "Siren",
    source_key: `${AlertClass.threshold}:${sourceChannelId}:${AlertType.high}`,
    source_channel_id: sourceChannelId,
    alarm_class: AlertClass.threshold,
    alarm_type: AlertType.high,
    output_channel_id: outputChannelId,
    level: OutputLevel.on,
    ending: JointEnding.back,
    enabled: true,
    created_time: now,
    modified_time: now,
  };
  const rules = db.insertInto("joint_rules").values(rule).returning("joint_id");
  const { joint_id: jointId } = await rules.executeTakeFirstOrThrow();
  const watched = { account_id: owner.accountId, channel_id: sourceChannelId, position: 0 };
  await db.insertInto("watched_channels").values(watched).execute();
  const keys = { user_id: owner.userId, keys: "x y", target: "/alarms" };
  const shortcuts = db.insertInto("keyboard_shortcuts").values(keys).returning("shortcut_id");
  const { shortcut_id: shortcutId } = await shortcuts.executeTakeFirstOrThrow();
  return { jointId, sourceChannelId, outputChannelId, shortcutId };
};
