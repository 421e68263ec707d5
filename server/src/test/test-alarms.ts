import type { Input } from "@telltale/contract/call/call";
import type { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { Model } from "@telltale/contract/domains/devices";
import { ContactStatus } from "@telltale/contract/domains/people/contacts";
import type { World } from "../world.ts";
import { aContact } from "./test-contacts.ts";
import { aDevice, type TestDevice } from "./test-devices.ts";
import type { Person } from "./test-people.ts";

export type AlarmInput = Partial<Input<typeof alarms.add>>;

/** Creates what a custom alarm needs: a station whose AI3 measures 0 to 100 m³/h, and a verified contact. */
export interface Watchable {
  station: TestDevice;
  contact: number;
}

export const aWatchableStation = async (world: Pick<World, "db" | "clock">, owner: Person): Promise<Watchable> => ({
  station: await aDevice(world, owner, {
    name: "Station",
    model: Model.mixed,
    channels: { AI3: { name: "Cooling water", settings: { zero: 0, span: 100, unit: "m³/h" } } },
  }),
  contact: await aContact(world, owner, { status: ContactStatus.verified }),
});

/** The request for a custom alarm on the station's AI3, Low at 20. */
export const aLowFlow = ({ station, contact }: Watchable, more: AlarmInput = {}): AlarmInput => ({
  alarmName: "Flow low",
  alarmClass: AlertClass.custom,
  deviceId: station.deviceId,
  deviceChannelId: Number(station.channels.AI3),
  type: AlertType.low,
  alarmValue: 20,
  alarmHysteresis: 2,
  notifyUserIds: [contact],
  ...more,
});
