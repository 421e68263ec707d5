import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { Analog } from "@telltale/contract/domains/channels";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { ContactStatus } from "@telltale/contract/domains/people/contacts";
import { ContactType } from "@telltale/contract/notification-channels";
import { Role } from "@telltale/contract/permissions";
import { ids, measured, sixteenBar, slow } from "./measured.ts";
import type { PlannedDevice, PlannedPlant, PlannedUser } from "./plan.ts";
import { riversideDevices } from "./riverside-devices.ts";

/** Password of every demonstration user. */
export const demonstrationPassword = "telltale-demo";

/** One user per role. The phone numbers are reserved for fiction. */
export const users: readonly PlannedUser[] = [
  {
    ...{ email: "owner@telltale.local", firstName: "Mara", lastName: "Okafor", cellNumber: "2025550141" },
    ...{ roleType: Role.owner, joined: [382, "09:12"], signedIn: [1, "08:47"] },
  },
  {
    ...{ email: "admin@telltale.local", firstName: "Tamas", lastName: "Varga", cellNumber: "2025550142" },
    ...{ roleType: Role.admin, joined: [381, "10:05"], signedIn: [1, "14:02"] },
  },
  {
    ...{ email: "manager@telltale.local", firstName: "Jonas", lastName: "Lind", cellNumber: "2025550143" },
    ...{ roleType: Role.deviceManager, joined: [381, "10:31"], signedIn: [1, "06:04"] },
  },
  {
    ...{ email: "installer@telltale.local", firstName: "Sora", lastName: "Imai", cellNumber: "2025550144" },
    ...{ roleType: Role.installer, joined: [373, "14:40"], signedIn: [1, "13:55"] },
  },
  {
    ...{ email: "viewer@telltale.local", firstName: "Elena", lastName: "Petrova", cellNumber: "2025550145" },
    ...{ roleType: Role.viewer, joined: [203, "11:20"], signedIn: [2, "09:26"] },
  },
];

const nightShift = "12025550146";
const maintenance = "priya.nair@riverside-works.example";

export const riverside: PlannedPlant = {
  name: "Riverside Works",
  timeZoneId: "Europe/London",
  opened: [382, "09:12"],
  devices: riversideDevices,
  dashboards: [
    {
      name: "Pump station",
      notes: "What the control room watches",
      isDefault: true,
      made: [90, "16:05"],
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
      made: [70, "11:12"],
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
      requestedAt: [180, "10:12"],
    },
    {
      firstName: "Night",
      lastName: "Shift",
      type: ContactType.phone,
      contactInfo: nightShift,
      status: ContactStatus.verified,
      requestedAt: [120, "15:31"],
    },
    {
      firstName: "Lucas",
      lastName: "Brandt",
      type: ContactType.mail,
      contactInfo: "l.brandt@pump-service.example",
      status: ContactStatus.refused,
      requestedAt: [100, "09:50"],
    },
    {
      firstName: "Owen",
      lastName: "Bell",
      type: ContactType.mail,
      contactInfo: "owen.bell@riverside-works.example",
      status: ContactStatus.pending,
      requestedAt: [2, "11:26"],
    },
  ],
  alarms: [
    {
      name: "Wet well high",
      made: [91, "10:32"],
      channel: [ids.pumpHouse, "AI2"],
      type: AlertType.high,
      value: 2.9,
      hysteresis: 0.1,
      priority: 2,
      response:
        "Start the standby pump from the cabinet.\nCheck the inlet screen.\nIf the level still rises, call the river authority.",
      recipients: [maintenance, nightShift],
    },
    {
      name: "Pump 1 warm",
      made: [91, "10:38"],
      channel: [ids.boosterSkid, "AI1"],
      type: AlertType.high,
      value: 70,
      hysteresis: 2,
      priority: 3,
      response: "Grease the bearing at the next round. Above 85 °C stop the pump.",
      recipients: [maintenance],
    },
    {
      name: "Pump house",
      made: [91, "10:41"],
      alarmClass: AlertClass.threshold,
      device: ids.pumpHouse,
      priority: 2,
      response: "Look at the pump house camera, then go there.",
      recipients: [maintenance],
    },
    {
      name: "Cold store lost",
      made: [88, "14:46"],
      alarmClass: AlertClass.notification,
      device: ids.coldStore,
      priority: 3,
      response: "Check the router in the cold store's cabinet.",
      recipients: [maintenance],
    },
  ],
};

const hillsideStore: PlannedDevice = {
  deviceSnId: "7C9EBD5C1E08",
  name: "Store 1",
  model: Model.analog,
  deviceType: DeviceType.main,
  installed: [86, "10:30"],
  installedBy: Role.deviceManager,
  channels: {
    AI1: measured("Refrigerant pressure", "refrigerantPressure", { ...sixteenBar, reportInterval: 15 }, slow),
    AI2: measured(
      "Store temperature",
      "storeTemperature",
      { zero: -30, span: 60, higherAlarm: 8, higherHysteresis: 0.5, reportInterval: 15 },
      slow,
    ),
    AI3: measured("Coolant flow", "coolantFlow", { reportInterval: 15 }, slow),
    AI4: measured("Store humidity", "storeHumidity", { reportInterval: 15 }, slow),
  },
};

/** A second plant, so that one user has two accounts to choose from. */
export const hillside: PlannedPlant = {
  name: "Hillside Cold Storage",
  timeZoneId: "Europe/Berlin",
  opened: [88, "16:02"],
  devices: [hillsideStore],
  dashboards: [
    {
      name: "Store 1",
      notes: "",
      isDefault: true,
      made: [86, "10:55"],
      tiles: ["AI1", "AI2", "AI3", "AI4"].map((code) => ({ channel: [hillsideStore.deviceSnId, code] as const })),
    },
  ],
  contacts: [],
  alarms: [],
};

/** Unclaimed units to try the add-device dialog with. They are powered on and report once claimed. */
export const unclaimed = [
  { deviceSnId: "7C9EBD6A0001", model: Model.analog, deviceType: DeviceType.main },
  { deviceSnId: "7C9EBD6A0002", model: Model.mixed, deviceType: DeviceType.main },
  { deviceSnId: "7C9EBD6A0003", model: Model.vibration, deviceType: DeviceType.sub },
] as const;
