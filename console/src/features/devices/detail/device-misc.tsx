import { type DeviceDetail, type DeviceInfo, DeviceType } from "@telltale/contract/domains/devices";
import { reportIntervalText } from "../../../domain/report-interval.ts";
import { withDecimals } from "../../../ui/format/decimals.ts";
import { missing } from "../../../ui/format/time.ts";
import { Fact, Facts } from "../../../ui/page/facts.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { useRemembered } from "../../../ui/remembered.ts";
import { Segments } from "../../../ui/segments.tsx";

/** Converts degrees Celsius to Fahrenheit. (spec 1 §9) */
const fahrenheit = (celsius: number): number => celsius * 1.8 + 32;

interface DeviceMiscProps {
  device: DeviceDetail;
  info: DeviceInfo;
}

const units = ["°F", "°C"] as const;
type Unit = (typeof units)[number];

/** The unit of the device's own temperature, by this browser's choice; degrees Fahrenheit as specified. */
export const useTemperatureUnit = () => useRemembered<Unit>("telltale-temperature", "°F");

const UnitChoice = () => {
  const [unit, setUnit] = useTemperatureUnit();
  return (
    <Segments
      label="Unit of the temperature"
      options={units.map((value) => ({ value, label: value }))}
      value={unit}
      onChange={setUnit}
    />
  );
};

interface ReportedFact {
  label: string;
  /** Null when never reported: `--` is shown without a unit. */
  value: string | number | null;
  unit: string;
}

/** What the device reports about itself, as it is labelled. (spec 1 §2) */
export const reportedFacts = ({ deviceType }: DeviceDetail, info: DeviceInfo, unit: Unit): ReportedFact[] => {
  const { temperature, humidity, power, wakeupMode, firmwareVersion } = info;
  const firmware = { label: "Firmware version", value: firmwareVersion, unit: "" };
  if (deviceType === DeviceType.main) {
    const shown = temperature === null || unit === "°C" ? temperature : fahrenheit(temperature);
    return [
      { label: "Temperature", value: shown === null ? null : withDecimals(shown, 2), unit },
      { label: "Humidity", value: humidity, unit: "%" },
      firmware,
    ];
  }
  const interval = reportIntervalText(info.reportIntervals);
  return [
    { label: "Battery life", value: power, unit: "%" },
    { label: "Wake mode", value: wakeupMode, unit: "" },
    { label: "Report interval", value: interval.text, unit: interval.unit },
    firmware,
  ];
};

/** The attributes that the device reports. (spec 1 §2) */
export const DeviceMisc = ({ device, info }: DeviceMiscProps) => {
  const [unit] = useTemperatureUnit();
  return (
    <Panel title="MISC" aside={device.deviceType === DeviceType.main && <UnitChoice />}>
      <Facts>
        {reportedFacts(device, info, unit).map((fact) => (
          <Fact key={fact.label} label={fact.label} unit={fact.value === null ? "" : fact.unit}>
            {fact.value ?? missing}
          </Fact>
        ))}
      </Facts>
    </Panel>
  );
};
