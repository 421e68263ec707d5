import { Analog } from "@telltale/contract/domains/channels";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import type { World } from "../world.ts";
import { aDashboard } from "./test-dashboards.ts";
import { aDevice } from "./test-devices.ts";
import { anOwner } from "./test-people.ts";

/** A plant of its own: a station with readings, a motor controller below it, and a default dashboard with a tile of each kind. */
export const aPlantWithTiles = async (world: World) => {
  const owner = await anOwner(world);
  const station = await aDevice(world, owner, { name: "Station", model: Model.mixed });
  const motor = await aDevice(world, owner, {
    name: "Motor",
    model: Model.motorController,
    deviceType: DeviceType.sub,
    parentDeviceId: station.deviceId,
  });
  await world.db
    .updateTable("devices")
    .set({ is_online: true, last_seen_time: world.clock.date() })
    .where("device_id", "in", [station.deviceId, motor.deviceId])
    .execute();
  const [ai1, di1] = [Number(station.channels.AI1), Number(station.channels.DI1)];
  const currents = ["I C", "I A"].map((code) => Number(motor.channels[code]));
  const dashboardId = await aDashboard(world, owner, {
    name: "Overview",
    isDefault: true,
    channels: [di1, ai1],
    groups: [{ deviceId: motor.deviceId, name: "Currents", icon: Analog.speed, channels: currents }],
    devices: [motor.deviceId],
  });
  return { owner, station, motor, ai1, di1, currents, dashboardId };
};
