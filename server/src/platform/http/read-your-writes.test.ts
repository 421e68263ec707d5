import { Key } from "@telltale/contract/channel-types/keys";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { Model } from "@telltale/contract/domains/devices";
import { expect, onTestFinished, test } from "vitest";
import { aDevice } from "../../test/test-devices.ts";
import { anOwner } from "../../test/test-people.ts";
import { startTestServer } from "../../test/test-server.ts";

test("when a save is answered, this server has processed its notice: the next reading is evaluated by it", async () => {
  const { world, as, close } = await startTestServer();
  onTestFinished(close);
  const owner = await anOwner(world);
  const settings = { zero: 0, span: 100 };
  const { deviceId, channels } = await aDevice(world, owner, { model: Model.mixed, channels: { AI1: { settings } } });
  let heard = 0;
  world.bus.on("deviceChange", () => {
    heard += 1;
  });
  for (let saves = 1; saves <= 30; saves++) {
    const payload = [{ channelId: Number(channels.AI1), channelKeys: { [Key.higherAlarm]: 50 + saves } }];
    await as(owner)(channelSettings.modify, { deviceId, payload } as never);
    expect(heard).toBe(saves);
  }
});
