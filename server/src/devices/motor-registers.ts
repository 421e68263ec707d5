import { Analog, ChannelType, ValueForm } from "@telltale/contract/channels";
import { type ChannelModel, defaultReportInterval } from "./channel-model.ts";

interface Register {
  /** The register's keyword, key of its values in telemetry and what decides how a value is shown. (spec 1 §5) */
  keyword: string;
  unit?: string;
  analogId?: Analog;
  /** Raises a High alert from this value on. */
  alarmFrom?: number;
}

/** Ordered by what an operator looks at first: a dashboard tile shows the first eight. */
const registers: readonly Register[] = [
  { keyword: "I A", unit: "A" },
  { keyword: "I B", unit: "A" },
  { keyword: "I C", unit: "A" },
  { keyword: "Frequency", unit: "Hz", analogId: Analog.frequency },
  { keyword: "Real Power", unit: "kW" },
  { keyword: "Power Factor" },
  { keyword: "Relay Status" },
  { keyword: "Fault", alarmFrom: 1 },
  { keyword: "Reactive Power", unit: "kvar" },
  { keyword: "Run Time", unit: "min" },
  { keyword: "Start Mode" },
  { keyword: "Control" },
  { keyword: "Under Current" },
  { keyword: "High Inertia Load" },
  { keyword: "Locked Rotor", alarmFrom: 1 },
  { keyword: "Third Failure", alarmFrom: 1 },
  { keyword: "Frequency Setting", unit: "Hz" },
  { keyword: "Under Current Detection" },
  { keyword: "Under Current Type" },
];

/** Channels of the third-party motor and power controller. */
export const motorRegisters: readonly ChannelModel[] = registers.map(({ keyword, unit, analogId, alarmFrom }) => ({
  code: keyword,
  type: ChannelType.modbus,
  group: "CHANNEL",
  settings: {
    analogId: analogId ?? Analog.other,
    unit: unit ?? "",
    valueForm: ValueForm.engineering,
    reportInterval: defaultReportInterval,
    ...(alarmFrom === undefined ? {} : { higherAlarm: alarmFrom, higherHysteresis: 0 }),
  },
}));
