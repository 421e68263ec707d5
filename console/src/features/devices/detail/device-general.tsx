import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { type DeviceDetail, DeviceType, type ReportIntervals } from "@telltale/contract/domains/devices";
import { nounOf } from "@telltale/contract/text/counted";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { type ReactNode, useId, useState } from "react";
import { reportIntervalText } from "../../../domain/report-interval.ts";
import { missing } from "../../../ui/format/time.ts";
import { Fact, Facts } from "../../../ui/page/facts.tsx";
import { HeadButton } from "../../../ui/page/head-button.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import classes from "./device-general.module.css";

/** Opens the purchase for a device; absent for accounts that may not buy. */
export type OnPay = ((device: DeviceDetail) => void) | undefined;

interface DeviceGeneralProps {
  device: DeviceDetail;
  intervals: ReportIntervals;
  zone: Zone;
  onPay: OnPay;
  /** More buttons in the head. */
  children: ReactNode;
}

const GeneralFacts = ({ device, intervals, zone }: Omit<DeviceGeneralProps, "onPay" | "children">) => {
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
        <Fact label="REPORT INTERVAL" unit={reportIntervalText(intervals).unit}>
          {reportIntervalText(intervals).text}
        </Fact>
      )}
    </Facts>
  );
};

/** The general facts of a device; the panel can be collapsed. (spec 1 §2) */
export const DeviceGeneral = ({ device, intervals, zone, onPay, children }: DeviceGeneralProps) => {
  const [isOpen, setOpen] = useState(true);
  const body = useId();
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const fold = (
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
  );
  // A sub-device shares its main device's service, which is paid for there.
  const pay = onPay && device.deviceType === DeviceType.main && (
    <HeadButton onClick={() => onPay(device)}>PAY</HeadButton>
  );
  return (
    <Panel
      title={fold}
      aside={
        <>
          {children}
          {pay}
        </>
      }
      className={isOpen ? classes.panel : `${classes.panel} ${classes.folded}`}
    >
      <div id={body} hidden={!isOpen}>
        <GeneralFacts device={device} intervals={intervals} zone={zone} />
      </div>
    </Panel>
  );
};
