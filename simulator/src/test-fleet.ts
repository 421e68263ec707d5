import { Analog, InputMode, SensorType, ValueForm } from "@telltale/contract/domains/channels";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import type { FleetChannel, FleetDevice } from "./fleet.ts";

const analog = (code: string, name: string, settings: FleetChannel["settings"]): FleetChannel => ({
  code,
  name,
  settings: { reportInterval: 60, zero: 0, span: 100, ...settings },
});

const contact = (code: string, name: string): FleetChannel => ({
  code,
  name,
  settings: { analogId: Analog.digitalInput, inputMode: InputMode.digital, reportInterval: 60, userDefinedOn: 1 },
});

const output = (code: string, name: string): FleetChannel => ({
  code,
  name,
  settings: { analogId: Analog.digitalOutput, reportInterval: 60 },
});

const axis = (code: string): FleetChannel =>
  analog(code, code, {
    analogId: Analog.vibrationMg,
    unit: "mg",
    span: 16_000,
    higherAlarm: 550,
    higherHysteresis: 25,
  });

const registers = ["I A", "I B", "I C", "Frequency", "Real Power", "Power Factor", "Relay Status", "Fault"];
const moreRegisters = ["Reactive Power", "Run Time", "Start Mode", "Control", "Under Current", "Third Failure"];

const master = "7C9EBD000001";
const sub = (id: string, deviceName: string, typeId: FleetDevice["typeId"], channels: FleetChannel[]): FleetDevice => ({
  deviceSnId: id,
  accessToken: `token-${id}`,
  typeId,
  deviceType: DeviceType.sub,
  parentDeviceSnId: master,
  deviceName,
  channels,
});

const pumpHouse = (): FleetDevice => ({
  deviceSnId: master,
  accessToken: "token-master",
  typeId: Model.mixed,
  deviceType: DeviceType.main,
  deviceName: "Pump house",
  channels: [
    analog("AI1", "Discharge pressure", {
      analogId: Analog.pressure,
      unit: "bar",
      span: 16,
      higherAlarm: 8,
      higherHysteresis: 0.2,
    }),
    analog("AI2", "Bearing temperature", { analogId: Analog.temperature, unit: "°C", span: 150, higherAlarm: 90 }),
    analog("AI3", "Discharge flow", { analogId: Analog.flow, unit: "m³/h" }),
    analog("AI4", "Wet well level", { analogId: Analog.displacement, unit: "m", span: 4 }),
    contact("DI1", "Sump float switch"),
    contact("DI2", "Cabinet door"),
    contact("DI3", "Pump 1 running"),
    contact("DI4", "Pump 2 running"),
    output("DO1", "Ventilation fan"),
    output("DO2", "Beacon"),
    analog("TEMP", "Cabinet temperature", { analogId: Analog.temperature, unit: "°C", zero: -40, span: 125 }),
    analog("HUM", "Cabinet humidity", { analogId: Analog.humidity, unit: "%" }),
  ],
});

/** A pump station like the demonstration's: a main device and five behind it, about forty channels. */
export const aFleet = (): FleetDevice[] => [
  pumpHouse(),
  sub("7C9EBD000002", "Yard", Model.analog, [
    analog("AI1", "Probe", {
      analogId: Analog.temperature,
      unit: "°C",
      sensorType: SensorType.ntc,
      valueForm: ValueForm.electrical,
      ntcType: "10K B3950",
    }),
    analog("AI2", "Suction pressure", {
      analogId: Analog.pressure,
      unit: "bar",
      span: 16,
      sensorType: SensorType.milliamps4to20,
      valueForm: ValueForm.electrical,
    }),
    analog("AI3", "Gas", { analogId: Analog.gasConcentration, unit: "ppm", span: 50 }),
  ]),
  sub("7C9EBD000003", "Gate", Model.digitalInput, [contact("DI1", "Gate"), contact("DI2", "Hatch")]),
  sub("7C9EBD000004", "Relays", Model.digitalOutput, [output("DO1", "Standby pump")]),
  sub("7C9EBD000005", "Pump 1, drive end", Model.vibration, [
    axis("VX"),
    axis("VY"),
    axis("VZ"),
    analog("TEMP", "Bearing", { analogId: Analog.temperature, unit: "°C", zero: -40, span: 125 }),
  ]),
  sub(
    "7C9EBD000006",
    "Pump 1 drive",
    Model.motorController,
    [...registers, ...moreRegisters].map((code) => ({
      code,
      name: code,
      settings: { analogId: Analog.other, unit: "", reportInterval: 60 },
    })),
  ),
];
