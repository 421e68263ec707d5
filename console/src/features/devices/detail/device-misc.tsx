import { type DeviceDetail, type DeviceInfo, DeviceType } from "@telltale/contract/domains/devices";
import { reportIntervalText } from "../../../domain/report-interval.ts";
import { withDecimals } from "../../../ui/format/decimals.ts";
import { missing } from "../../../ui/format/time.ts";
import { Fact, Facts } from "../../../ui/page/facts.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
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

const MainFacts = ({ info }: { info: DeviceInfo }) => (
  <>
    <Measured
      label="Temperature"
      value={info.temperature === null ? null : withDecimals(fahrenheit(info.temperature), 2)}
      unit="°F"
    />
    <Measured label="Humidity" value={info.humidity} unit="%" />
  </>
);

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
  <Panel title="MISC" aside={<StorageButton device={device} />}>
    <Facts>
      {device.deviceType === DeviceType.main ? <MainFacts info={info} /> : <SubFacts info={info} />}
      <Fact label="Firmware version">{info.firmwareVersion ?? missing}</Fact>
    </Facts>
  </Panel>
);
