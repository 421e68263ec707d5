import { IconLoader2 } from "@tabler/icons-react";
import { DeviceStatus } from "@telltale/contract/domains/devices";
import {
  type FirmwareRow,
  type UpdateProgress,
  UpdateStatus,
  UpdateStep,
  VersionStatus,
  versionTypeLabel,
} from "@telltale/contract/domains/firmware";
import type { ReactNode } from "react";
import { deviceStatusLook } from "../../domain/devices/device-status.ts";
import { CellName, CellText, type Column, NarrowText, operationColumn } from "../../table/column.tsx";
import type { FilterInForce } from "../../table/filters/use-filters.ts";
import { Button } from "../../ui/control/button.tsx";
import { maskedId } from "../../ui/format/masked-id.ts";
import { Missing } from "../../ui/format/missing.tsx";
import { dateTime } from "../../ui/format/time.ts";
import { StatusLabel } from "../../ui/status/status-label.tsx";
import classes from "./firmware-columns.module.css";
import type { firmwareFilters } from "./firmware-filters.ts";
import type { FirmwareOperations } from "./use-request-update.tsx";

/** The progress of an update as text. */
export const updateText = ({ step, chunk, chunks }: UpdateProgress): string => {
  if (step === UpdateStep.downloading) return chunks === 0 ? "Downloading" : `Downloading, ${chunk} of ${chunks}`;
  if (step === UpdateStep.downloaded) return "Downloaded, being checked";
  if (step === UpdateStep.verified) return "Checked, being installed";
  return step === UpdateStep.restarting ? "Installed, restarting" : "Waiting for the device";
};

/** The sent part of an image, from 0 to 1; the duration of the other steps cannot be estimated. */
export const partDone = ({ step, chunk, chunks }: UpdateProgress): number => {
  if (step === UpdateStep.offered || chunks === 0) return 0;
  return step === UpdateStep.downloading ? Math.min(1, chunk / chunks) : 1;
};

type FirmwareColumn = Column<FirmwareRow>;

/** The newest version, and below it the progress of an update or why the last one failed. */
const LatestCell = ({ deviceName, latestVersion, progress, failure }: FirmwareRow): ReactNode => (
  <span className={classes.latest}>
    <span>
      <NarrowText>latest</NarrowText>
      {latestVersion ?? <Missing />}
    </span>
    {progress && (
      <>
        <span className={classes.progress}>
          {progress.versionNo}: {updateText(progress)}
        </span>
        <progress className={classes.bar} value={partDone(progress)} aria-label={`Download of ${deviceName}`} />
      </>
    )}
    {failure !== "" && <span className={classes.failure}>Not updated to {failure}</span>}
  </span>
);

/** The specification shows the button for a device that is active and online. (spec 2 §4) */
const isReady = ({ status }: FirmwareRow): boolean => status === DeviceStatus.alert || status === DeviceStatus.normal;

const OperationCell = ({ row, operations }: { row: FirmwareRow; operations: FirmwareOperations }): ReactNode => {
  if (row.updateStatus === UpdateStatus.updating)
    return (
      <span className={classes.busy} role="img" aria-label={`${row.deviceName} is being updated`}>
        <IconLoader2 size={20} aria-hidden />
      </span>
    );
  if (!isReady(row)) return null;
  return (
    <span className={classes.operations}>
      {row.versionStatus === VersionStatus.new && (
        <Button
          variant="default"
          size="compact-xs"
          aria-label={`Update ${row.deviceName}`}
          onClick={() => operations.update(row)}
        >
          Update
        </Button>
      )}
      {row.rollbackVersion !== null && (
        <Button
          variant="default"
          size="compact-xs"
          aria-label={`Rollback ${row.deviceName}`}
          onClick={() => operations.rollback(row)}
        >
          Rollback
        </Button>
      )}
    </span>
  );
};

const versionColumns: FirmwareColumn[] = [
  {
    key: "version",
    head: "CURRENT VERSION",
    width: 110,
    least: 96,
    narrow: "below-main",
    cell: ({ versionNo }) => (
      <>
        <NarrowText>version</NarrowText>
        {versionNo === null ? <Missing /> : <CellText title={versionNo}>{versionNo}</CellText>}
      </>
    ),
  },
  { key: "latest", head: "LATEST VERSION", width: 200, least: 140, narrow: "action", cell: LatestCell },
  {
    key: "versionStatus",
    head: "VERSION STATUS",
    width: 100,
    least: 92,
    narrow: "below-end",
    cell: ({ versionStatus }) => (
      <span className={versionStatus === VersionStatus.new ? classes.new : classes.none}>{versionStatus}</span>
    ),
  },
  {
    key: "versionType",
    head: "VERSION TYPE",
    width: 80,
    cell: ({ versionType }) => versionTypeLabel(versionType),
  },
];

/** The firmware columns, in the specified order; without `operations` the list is read-only. (spec 2 §2) */
export const firmwareColumns = (
  by: Readonly<Record<keyof typeof firmwareFilters, FilterInForce>>,
  operations: FirmwareOperations | undefined,
): FirmwareColumn[] => [
  {
    key: "status",
    head: "STATUS",
    width: 122,
    narrow: "top-end",
    filter: by.status,
    cell: ({ status }) => <StatusLabel {...deviceStatusLook(status)} />,
  },
  {
    key: "deviceName",
    head: "DEVICE NAME",
    width: 160,
    least: 120,
    narrow: "top-main",
    filter: by.deviceName,
    cell: ({ deviceName }) => <CellName>{deviceName}</CellName>,
  },
  {
    key: "deviceSnId",
    head: "DEVICE ID",
    width: 100,
    least: 92,
    narrow: "below",
    filter: by.deviceSnId,
    cell: ({ deviceSnId }) => <span className={classes.id}>{maskedId(deviceSnId)}</span>,
  },
  ...versionColumns,
  {
    key: "updated",
    head: "UPDATED TIME",
    width: 165,
    filter: by.updated,
    cell: ({ updateTime }) => (updateTime === null ? <Missing /> : dateTime(updateTime)),
  },
  ...operationColumn<FirmwareRow, FirmwareOperations>(operations, { width: 140, pin: "end" }, (row, given) => (
    <OperationCell row={row} operations={given} />
  )),
];
