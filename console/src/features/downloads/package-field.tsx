import { Select } from "@mantine/core";
import {
  type DownloadDevice,
  downloads,
  PackageState,
  type PendingPackage,
} from "@telltale/contract/domains/readings/downloads";
import { type Zone, zoneOf } from "@telltale/contract/text/wall-clock";
import type { ReactNode } from "react";
import { fieldClasses, validationError } from "../../form/text-field.tsx";
import { useCall } from "../../session/use-call.ts";

interface PackageFieldProps {
  /** Without a device there is nothing to select. */
  device: DownloadDevice | null;
  value: number | null;
  error: string | undefined;
  onChange: (packLogId: number | null) => void;
}

const hint = (deviceId: number | undefined, count: number | undefined): string => {
  if (deviceId === undefined) return "Choose a device first";
  if (count === undefined) return "Loading";
  return count === 0 ? "No finished month yet" : "Month";
};

/** The state of a month whose package is missing or not final. */
const pendingText = ({ packMonthUs, packYear, state, isMade, readyTime }: PendingPackage, zone: Zone): string => {
  const month = `${packMonthUs} ${packYear}`;
  if (isMade) return `${month} is still receiving readings. A download holds those stored so far.`;
  if (readyTime) return `${month} will be ready on ${zone.stamp(readyTime).slice(0, 16)}, a day after its end.`;
  return state === PackageState.arriving
    ? `${month} is not ready: it is still receiving readings.`
    : `${month} is being made. It will be ready in a few minutes.`;
};

/** Polling interval for months that become ready, milliseconds. */
const again = 10_000;

/** The months that are missing or not final, as texts. */
const usePending = (device: DownloadDevice | null): string[] => {
  const { data } = useCall(downloads.pending, device ? { deviceId: device.deviceId } : {}, {
    enabled: device !== null,
    placeholderData: undefined,
    refetchInterval: again,
  });
  return (data ?? []).map((month) => pendingText(month, zoneOf(device?.timeZoneId ?? "UTC")));
};

/** DATA PACKAGE: the complete months of the device, newest first. */
export const PackageField = ({ device, value, error, onChange }: PackageFieldProps): ReactNode => {
  const deviceId = device?.deviceId;
  const pending = usePending(device);
  const { data } = useCall(downloads.packages, deviceId === undefined ? {} : { deviceId }, {
    enabled: deviceId !== undefined,
    placeholderData: undefined,
    // Also when nothing is pending any more: a month may have become ready after the last answer.
    refetchInterval: again,
  });
  return (
    <Select
      label="DATA PACKAGE"
      description={pending.length > 0 && pending.map((text) => <span key={text}>{text} </span>)}
      placeholder={hint(deviceId, data?.length)}
      data={(data ?? []).map(({ packLogId, packMonthUs, packYear }) => ({
        value: String(packLogId),
        label: `${packMonthUs} ${packYear}`,
      }))}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      error={validationError(error)}
      classNames={fieldClasses}
    />
  );
};
