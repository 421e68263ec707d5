import { AlertClass, AlertType } from "@telltale/contract/alerts";
import { Analog } from "@telltale/contract/channels";
import { ContactStatus, ContactType } from "@telltale/contract/contacts";
import { DeviceType, Model } from "@telltale/contract/devices";
import { Role } from "@telltale/contract/permissions";
import type { PlannedDevice, PlannedPlant, PlannedUser } from "./plan.ts";
import { ids, riversideDevices, sixteenBar } from "./riverside-devices.ts";

/** Password of every demonstration user. */
export const demonstrationPassword = "telltale-demo";

const user = (name: string, firstName: string, lastName: string, roleType: Role, cellNumber: string): PlannedUser => ({
  email: `${name}@telltale.local`,
  firstName,
  lastName,
  roleType,
  cellNumber,
});

/** One of each role. The telephone numbers are those set aside for fiction. */
export const users: readonly PlannedUser[] = [
  user("owner", "Mara", "Okafor", Role.owner, "2025550141"),
  user("admin", "Tamas", "Varga", Role.admin, "2025550142"),
  user("manager", "Jonas", "Lind", Role.deviceManager, "2025550143"),
  user("installer", "Sora", "Imai", Role.installer, "2025550144"),
  user("viewer", "Elena", "Petrova", Role.viewer, "2025550145"),
];

const nightShift = "12025550146";
const maintenance = "priya.nair@riverside-works.example";

export const riverside: PlannedPlant = {
  name: "Riverside Works",
  timeZoneId: "Europe/London",
  devices: riversideDevices,
  dashboards: [
    {
      name: "Pump station",
      notes: "What the control room watches",
      isDefault: true,
      tiles: [
        { channel: [ids.pumpHouse, "AI1"] },
        { channel: [ids.boosterSkid, "AI1"] },
        { channel: [ids.pumpHouse, "AI3"] },
        { device: ids.pumpDrive },
        { channel: [ids.pumpHouse, "DI1"] },
        { channel: [ids.pumpHouse, "DO1"] },
        { channel: [ids.coldStore, "AI4"] },
        { channel: [ids.driveEnd, "VY"] },
        {
          group: "Standby pump phase currents",
          icon: Analog.other,
          deviceSnId: ids.standbyDrive,
          codes: ["I A", "I B", "I C"],
        },
        { channel: [ids.pumpHouse, "AI4"] },
        { channel: [ids.boosterSkid, "AI3"] },
        { channel: [ids.pumpHouse, "AI2"] },
        { channel: [ids.controlRoom, "AI1"] },
        { channel: [ids.controlRoom, "AI4"] },
        { channel: [ids.testBench, "AI1"] },
      ],
    },
    {
      name: "Gate house",
      notes: "For visitors: levels and weather",
      isDefault: false,
      tiles: [
        { channel: [ids.pumpHouse, "AI2"] },
        { channel: [ids.pumpHouse, "AI1"] },
        { channel: [ids.pumpHouse, "DI2"] },
        { channel: [ids.controlRoom, "AI1"] },
        { channel: [ids.controlRoom, "AI2"] },
      ],
    },
  ],
  contacts: [
    {
      firstName: "Priya",
      lastName: "Nair",
      type: ContactType.mail,
      contactInfo: maintenance,
      status: ContactStatus.verified,
      asked: 180,
    },
    {
      firstName: "Night",
      lastName: "Shift",
      type: ContactType.phone,
      contactInfo: nightShift,
      status: ContactStatus.verified,
      asked: 120,
    },
    {
      firstName: "Lucas",
      lastName: "Brandt",
      type: ContactType.mail,
      contactInfo: "l.brandt@pump-service.example",
      status: ContactStatus.refused,
      asked: 100,
    },
    {
      firstName: "Owen",
      lastName: "Bell",
      type: ContactType.mail,
      contactInfo: "owen.bell@riverside-works.example",
      status: ContactStatus.pending,
      asked: 2,
    },
  ],
  alarms: [
    {
      name: "Wet well high",
      channel: [ids.pumpHouse, "AI2"],
      type: AlertType.high,
      value: 2.9,
      hysteresis: 0.1,
      recipients: [maintenance, nightShift],
    },
    {
      name: "Pump 1 warm",
      channel: [ids.boosterSkid, "AI1"],
      type: AlertType.high,
      value: 70,
      hysteresis: 2,
      recipients: [maintenance],
    },
    { name: "Pump house", alarmClass: AlertClass.threshold, device: ids.pumpHouse, recipients: [maintenance] },
    { name: "Cold store lost", alarmClass: AlertClass.notification, device: ids.coldStore, recipients: [maintenance] },
  ],
};

const hillsideStore: PlannedDevice = {
  deviceSnId: "7C9EBD5C1E08",
  name: "Store 1",
  model: Model.analog,
  deviceType: DeviceType.main,
  installed: 200,
  paid: 200,
  servedFor: 165,
  channels: {
    AI1: { name: "Refrigerant pressure", signal: "dischargePressure", settings: { ...sixteenBar, reportInterval: 15 } },
    AI2: {
      name: "Ambient temperature",
      signal: "ambientTemperature",
      settings: { zero: -30, span: 60, higherAlarm: 40, reportInterval: 15 },
    },
    AI3: { name: "Coolant flow", signal: "flow", settings: { reportInterval: 15 } },
    AI4: { name: "Ambient humidity", signal: "ambientHumidity", settings: { reportInterval: 15 } },
  },
};

/** A second plant, so that one user has two accounts to choose from. */
export const hillside: PlannedPlant = {
  name: "Hillside Cold Storage",
  timeZoneId: "Europe/Berlin",
  devices: [hillsideStore],
  dashboards: [
    {
      name: "Store 1",
      notes: "",
      isDefault: true,
      tiles: ["AI1", "AI2", "AI3", "AI4"].map((code) => ({ channel: [hillsideStore.deviceSnId, code] as const })),
    },
  ],
  contacts: [],
  alarms: [],
};

/** Units that nobody has claimed, to try the add-device dialog with. They are powered up: claimed, they report. */
export const unclaimed = [
  { deviceSnId: "7C9EBD6A0001", model: Model.analog, deviceType: DeviceType.main },
  { deviceSnId: "7C9EBD6A0002", model: Model.mixed, deviceType: DeviceType.main },
  { deviceSnId: "7C9EBD6A0003", model: Model.vibration, deviceType: DeviceType.sub },
] as const;
