import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { type DeviceDetail, type DeviceInfo, DeviceType } from "@telltale/contract/domains/devices";
import { nounOf } from "@telltale/contract/text/counted";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { type ReactNode, useId } from "react";
import { reportIntervalText } from "../../../domain/report-interval.ts";
import { missing } from "../../../ui/format/time.ts";
import { Fact, Facts } from "../../../ui/page/facts.tsx";
import { HeadButton } from "../../../ui/page/head-button.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { useRemembered } from "../../../ui/remembered.ts";
import { StorageButton } from "../storage/storage-button.tsx";
import classes from "./device-general.module.css";
import { DeviceMisc, reportedFacts, useTemperatureUnit } from "./device-misc.tsx";

/** Opens the purchase for a device; absent for accounts that may not buy. */
export type OnPay = ((device: DeviceDetail) => void) | undefined;

interface DeviceGeneralProps {
  device: DeviceDetail;
  info: DeviceInfo;
  zone: Zone;
  /** Until this browser has opened or closed it. */
  isOpenFirst: boolean;
  onPay: OnPay;
  /** More buttons in the head. */
  children: ReactNode;
}

const GeneralFacts = ({ device, info, zone }: Pick<DeviceGeneralProps, "device" | "info" | "zone">) => {
  const isSub = device.deviceType === DeviceType.sub;
  return (
    <Facts>
      <Fact label="P/N">{device.deviceSn}</Fact>
      <Fact label="ID">
        <span className={classes.id}>{device.deviceSnId}</span>
      </Fact>
      <Fact label="NAME">{device.deviceName}</Fact>
      {isSub && <Fact label="PARENT">{device.parentDeviceName ?? missing}</Fact>}
      <Fact label="INST DATE">{zone.day(device.createdTime)}</Fact>
      <Fact label="RENEW DATE">{device.expireTime ? zone.day(device.expireTime) : missing}</Fact>
      <Fact label="PAY DATE">{device.payTime === "N/A" ? device.payTime : zone.day(device.payTime)}</Fact>
      <Fact label="OFFLINE REPORTING TIME" unit={nounOf(device.offlineReport, "minute")}>
        {device.offlineReport}
      </Fact>
      {isSub && (
        <Fact label="REPORT INTERVAL" unit={reportIntervalText(info.reportIntervals).unit}>
          {reportIntervalText(info.reportIntervals).text}
        </Fact>
      )}
    </Facts>
  );
};

/** The facts that one looks for most, while the panel is closed: as many as there is room for. */
const Summary = ({ device, info, zone }: Pick<DeviceGeneralProps, "device" | "info" | "zone">) => {
  const { createdTime, expireTime, offlineReport } = device;
  const reported = reportedFacts(device, info, useTemperatureUnit()[0]);
  const facts = [
    ["Installed", zone.day(createdTime)],
    ["Renewed to", expireTime && zone.day(expireTime)],
    ["Offline after", `${offlineReport} min`],
    ...reported.map(({ label, value, unit }) => [label, value === null ? null : `${value} ${unit}`.trim()] as const),
  ] as const;
  return (
    <dl className={classes.summary}>
      {facts.map(
        ([label, text]) =>
          text && (
            <div key={label}>
              <dt>{label}</dt> <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  );
};

/** The panel while the device loads, as high as the closed one. */
export const DeviceGeneralSkeleton = () => (
  <div className={classes.closed}>
    <Panel>
      <div className={classes.head} />
    </Panel>
  </div>
);

/** What is known of a device besides its channels: one line, and opened, which is remembered, its general facts beside those that it reports. (spec 1 §2) */
export const DeviceGeneral = (props: DeviceGeneralProps) => {
  const { device, info, zone, isOpenFirst, onPay, children } = props;
  const [isOpen, setOpen] = useRemembered("telltale-device-general", isOpenFirst);
  const body = useId();
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  // A sub-device shares its main device's service, which is paid for there.
  const pay = onPay && device.deviceType === DeviceType.main && (
    <HeadButton onClick={() => onPay(device)}>PAY</HeadButton>
  );
  return (
    <div className={isOpen ? classes.open : classes.closed}>
      <Panel>
        <div className={classes.head}>
          <h2>
            <button
              type="button"
              className={classes.fold}
              aria-expanded={isOpen}
              aria-controls={body}
              onClick={() => setOpen(!isOpen)}
            >
              <Chevron size={16} stroke={2} aria-hidden />
              Device general
            </button>
          </h2>
          {!isOpen && <Summary {...{ device, info, zone }} />}
          <div className={classes.buttons}>
            <StorageButton device={device} />
            {children}
            {pay}
          </div>
        </div>
        <div id={body} hidden={!isOpen}>
          <GeneralFacts {...{ device, info, zone }} />
        </div>
      </Panel>
      {isOpen && <DeviceMisc device={device} info={info} />}
    </div>
  );
};
