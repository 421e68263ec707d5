import { useLocalStorage } from "@mantine/hooks";
import { type DeviceDetail, type DeviceInfo, DeviceType } from "@telltale/contract/domains/devices";
import { reportIntervalText } from "../../../domain/report-interval.ts";
import { withDecimals } from "../../../ui/format/decimals.ts";
import { missing } from "../../../ui/format/time.ts";
import { Fact, Facts } from "../../../ui/page/facts.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { StorageButton } from "../storage/storage-button.tsx";

/** Converts degrees Celsius to Fahrenheit. (spec 1 §9) */
const fahrenheit = (celsius: number): number => celsius * 1.8 + 32;

interface DeviceMiscProps {
  device: DeviceDetail;
  info: DeviceInfo;
}

interface MeasuredProps {
  label: string;
  /** Null when never reported: `--` is shown without a unit. */
  value: string | number | null;
  unit: string;
}

const Measured = ({ label, value, unit }: MeasuredProps) => (
  <Fact label={label} unit={value === null ? "" : unit}>
    {value ?? missing}
  </Fact>
);

const units = ["°F", "°C"] as const;
type Unit = (typeof units)[number];

/** The unit of the device's own temperature, by this browser's choice; degrees Fahrenheit as specified. */
const useUnit = () =>
  useLocalStorage<Unit>({ key: "telltale-temperature", defaultValue: "°F", getInitialValueInEffect: false });

const UnitChoice = () => {
  const [unit, setUnit] = useUnit();
  return (
    <Segments
      label="Unit of the temperature"
      options={units.map((value) => ({ value, label: value }))}
      value={unit}
      onChange={setUnit}
    />
  );
};

const MainFacts = ({ info: { temperature, humidity } }: { info: DeviceInfo }) => {
  const [unit] = useUnit();
  const shown = temperature === null || unit === "°C" ? temperature : fahrenheit(temperature);
  return (
    <>
      <Measured label="Temperature" value={shown === null ? null : withDecimals(shown, 2)} unit={unit} />
      <Measured label="Humidity" value={humidity} unit="%" />
    </>
  );
};

const SubFacts = ({ info }: { info: DeviceInfo }) => (
  <>
    <Measured label="Battery life" value={info.power} unit="%" />
    <Fact label="Wake mode">{info.wakeupMode ?? missing}</Fact>
    <Fact label="Report interval" unit={reportIntervalText(info.reportIntervals).unit}>
      {reportIntervalText(info.reportIntervals).text}
    </Fact>
  </>
);

/** The attributes that the device reports. (spec 1 §2) */
export const DeviceMisc = ({ device, info }: DeviceMiscProps) => (
  <Panel
    title="MISC"
    aside={
      <>
        {device.deviceType === DeviceType.main && <UnitChoice />}
        <StorageButton device={device} />
      </>
    }
  >
    <Facts>
      {device.deviceType === DeviceType.main ? <MainFacts info={info} /> : <SubFacts info={info} />}
      <Fact label="Firmware version">{info.firmwareVersion ?? missing}</Fact>
    </Facts>
  </Panel>
);
