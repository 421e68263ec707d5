import { Analog, ChannelType, ValueForm } from "@telltale/contract/domains/channels";
import { RegisterGroup } from "@telltale/contract/domains/modbus";
import { type ChannelModel, defaultReportInterval } from "./channel-model.ts";

interface Register {
  /** The register's keyword: the key of its values in telemetry; also decides how a value is shown. (spec 1 §5) */
  keyword: string;
  group: RegisterGroup;
  unit?: string;
  analogId?: Analog;
  /** Setpoint of its High alarm. */
  alarmFrom?: number;
}

const { current, power, operation, status, setpoints } = RegisterGroup;

/** Ordered by importance to a user: a dashboard tile shows the first eight. */
const registers: readonly Register[] = [
  { keyword: "I A", group: current, unit: "A" },
  { keyword: "I B", group: current, unit: "A" },
  { keyword: "I C", group: current, unit: "A" },
  { keyword: "Frequency", group: power, unit: "Hz", analogId: Analog.frequency },
  { keyword: "Real Power", group: power, unit: "kW" },
  { keyword: "Power Factor", group: power },
  { keyword: "Relay Status", group: status },
  { keyword: "Fault", group: status, alarmFrom: 1 },
  { keyword: "Reactive Power", group: power, unit: "kvar" },
  { keyword: "Run Time", group: operation, unit: "min" },
  { keyword: "Start Mode", group: operation },
  { keyword: "Control", group: operation },
  { keyword: "Under Current", group: status },
  { keyword: "High Inertia Load", group: status },
  { keyword: "Locked Rotor", group: status, alarmFrom: 1 },
  { keyword: "Third Failure", group: status, alarmFrom: 1 },
  { keyword: "Frequency Setting", group: setpoints, unit: "Hz" },
  { keyword: "Under Current Detection", group: setpoints },
  { keyword: "Under Current Type", group: setpoints },
  { keyword: "Rated Current", group: setpoints, unit: "A" },
  { keyword: "Under Current Setpoint", group: setpoints, unit: "A" },
  { keyword: "Under Current Delay", group: setpoints, unit: "s" },
  { keyword: "Over Current Setpoint", group: setpoints, unit: "A" },
  { keyword: "Over Current Delay", group: setpoints, unit: "s" },
  { keyword: "Locked Rotor Setpoint", group: setpoints, unit: "A" },
  { keyword: "Locked Rotor Delay", group: setpoints, unit: "s" },
  { keyword: "Restart Delay", group: setpoints, unit: "min" },
];

/** Channels of the third-party motor and power controller. */
export const motorRegisters: readonly ChannelModel[] = registers.map(
  ({ keyword, group, unit, analogId, alarmFrom }) => ({
    code: keyword,
    type: ChannelType.modbus,
    group,
    settings: {
      analogId: analogId ?? Analog.other,
      unit: unit ?? "",
      valueForm: ValueForm.engineering,
      reportInterval: defaultReportInterval,
      ...(alarmFrom === undefined ? {} : { higherAlarm: alarmFrom, higherHysteresis: 0 }),
    },
  }),
);
