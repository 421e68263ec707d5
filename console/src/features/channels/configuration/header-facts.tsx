import { type DeviceHeader, DeviceType } from "@telltale/contract/domains/devices";
import { nounOf } from "@telltale/contract/text/counted";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { deviceStatusLook } from "../../../domain/devices/device-status.ts";
import { reportIntervalText } from "../../../domain/report-interval.ts";
import { missing } from "../../../ui/format/time.ts";
import { Fact, Facts } from "../../../ui/page/facts.tsx";
import { StatusLabel } from "../../../ui/status/status-label.tsx";
import classes from "./header-facts.module.css";

interface HeaderFactsProps {
  header: DeviceHeader;
  zone: Zone;
}

/** The device's model, its master, and its report interval. */
export const HeaderFacts = ({ header, zone }: HeaderFactsProps) => (
  <Facts>
    <Fact label="STATUS">
      <StatusLabel {...deviceStatusLook(header.status)} />
    </Fact>
    <Fact label="P/N">{header.deviceSn}</Fact>
    <Fact label="ID">
      <span className={classes.id}>{header.deviceSnId}</span>
    </Fact>
    {header.deviceType === DeviceType.sub && <Fact label="PARENT">{header.parentDeviceName ?? missing}</Fact>}
    <Fact label="REPORT INTERVAL" unit={reportIntervalText(header.reportIntervals).unit}>
      {reportIntervalText(header.reportIntervals).text}
    </Fact>
    <Fact label="SHORTEST INTERVAL" unit={nounOf(header.reportIntervalLimit, "second")}>
      {header.reportIntervalLimit}
    </Fact>
    <Fact label="OFFLINE REPORTING TIME" unit={nounOf(header.offlineReport, "minute")}>
      {header.offlineReport}
    </Fact>
    <Fact label="FIRMWARE VERSION">{header.firmwareVersion ?? missing}</Fact>
    <Fact label="INST DATE">{zone.day(header.createdTime)}</Fact>
  </Facts>
);
