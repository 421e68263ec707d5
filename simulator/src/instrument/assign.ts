import { Analog, InputMode } from "@telltale/contract/domains/channels";
import type { FleetChannel, FleetDevice } from "../fleet.ts";
import type { PumpNumber, SignalName } from "../plant/signals.ts";

/** Words in the name of a channel or device that identify its quantity; the first match wins. */
const analogNames: [RegExp, SignalName][] = [
  [/bearing|winding|motor temp/, "bearingTemperature"],
  [/ambient|outdoor|outside/, "ambientTemperature"],
];

const byAnalog: Partial<Record<number, SignalName>> = {
  [Analog.pressure]: "dischargePressure",
  [Analog.humidity]: "roomHumidity",
  [Analog.flow]: "flow",
  [Analog.frequency]: "frequency",
  [Analog.noise]: "soundLevel",
  [Analog.torque]: "torque",
  [Analog.displacement]: "wetWellLevel",
  [Analog.speed]: "speed",
  [Analog.vibration]: "vibrationVelocity",
  [Analog.illuminance]: "illuminance",
  [Analog.acceleration]: "acceleration",
  [Analog.gasConcentration]: "gas",
};

const byAxis: Partial<Record<string, SignalName>> = { VX: "vibrationX", VY: "vibrationY", VZ: "vibrationZ" };

const contactNames: [RegExp, SignalName][] = [
  [/float|high water|high level|overflow/, "floatSwitch"],
  [/door|hatch|gate|intrusion/, "door"],
  [/pump|motor|run/, "pumpRunning"],
];

/** Default wiring order of unnamed contacts. */
const contactsByNumber: SignalName[] = ["floatSwitch", "door", "pumpRunning", "pumpRunning"];

const counted = (text: string): SignalName => (/door|gate|hatch/.test(text) ? "doorOpenings" : "flowPulses");

const contact = (text: string, code: string): SignalName =>
  contactNames.find(([words]) => words.test(text))?.[1] ??
  contactsByNumber[(Number(/\d+$/.exec(code)?.[0] ?? 1) - 1) % 4] ??
  "floatSwitch";

const temperature = (own: string, device: string): SignalName => {
  const find = (text: string) => analogNames.find(([words]) => words.test(text))?.[1];
  return find(own) ?? find(device) ?? "roomTemperature";
};

const humidity = (text: string): SignalName =>
  /ambient|outdoor|outside/.test(text) ? "ambientHumidity" : "roomHumidity";

const flow = (text: string): SignalName => (/inflow|inlet/.test(text) ? "inflow" : "flow");

const other = (text: string): SignalName => (/valve|position/.test(text) ? "valvePosition" : "wetWellLevel");

/** The quantity that a channel measures: as the fleet specifies, otherwise derived from its kind, its name and its device's name. */
export const signalFor = (device: FleetDevice, channel: FleetChannel): SignalName => {
  if (channel.signal) return channel.signal;
  const axis = byAxis[channel.code];
  if (axis) return axis;
  const name = channel.name.toLowerCase();
  const text = `${name} ${device.deviceName.toLowerCase()}`;
  const { analogId, inputMode } = channel.settings;
  if (inputMode === InputMode.counting || analogId === Analog.countingInput) return counted(text);
  if (analogId === Analog.digitalInput || channel.code.startsWith("DI")) return contact(name, channel.code);
  if (channel.code === "HUM" || analogId === Analog.humidity) return humidity(text);
  // A vibration sensor's own probe is mounted on the bearing it measures.
  if (channel.code === "TEMP") return channelOnBearing(device) ? "bearingTemperature" : "roomTemperature";
  if (analogId === Analog.temperature) return temperature(name, device.deviceName.toLowerCase());
  if (analogId === Analog.flow) return flow(text);
  return byAnalog[analogId ?? Analog.other] ?? other(text);
};

const channelOnBearing = ({ channels }: FleetDevice): boolean => channels.some(({ code }) => code in byAxis);

/** The pump or cold store of a channel: as the fleet specifies, otherwise the second when its name or its device's says so. */
export const pumpFor = (device: FleetDevice, channel: FleetChannel): PumpNumber =>
  channel.number
    ? ((channel.number - 1) as PumpNumber)
    : /\b(pump|motor|p|drive) ?(2|b)\b/i.test(`${channel.name} ${device.deviceName}`)
      ? 1
      : 0;
