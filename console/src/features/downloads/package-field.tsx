import { Select } from "@mantine/core";
import { downloads } from "@telltale/contract/downloads";
import type { ReactNode } from "react";
import { complaint, fieldClasses } from "../../form/text-field.tsx";
import { useCall } from "../../session/use-call.ts";

interface PackageFieldProps {
  /** Without one there is nothing to choose from. */
  deviceId: number | undefined;
  value: number | null;
  error: string | undefined;
  onChange: (packLogId: number | null) => void;
}

const hint = (deviceId: number | undefined, count: number | undefined): string => {
  if (deviceId === undefined) return "Choose a device first";
  if (count === undefined) return "Loading";
  return count === 0 ? "No finished month yet" : "Month";
};

/** DATA PACKAGE: the finished months of the device, newest first. */
export const PackageField = ({ deviceId, value, error, onChange }: PackageFieldProps): ReactNode => {
  const { data } = useCall(downloads.packages, deviceId === undefined ? {} : { deviceId }, {
    enabled: deviceId !== undefined,
  });
  return (
    <Select
      label="DATA PACKAGE"
      placeholder={hint(deviceId, data?.length)}
      data={(data ?? []).map(({ packLogId, packMonthUs, packYear }) => ({
        value: String(packLogId),
        label: `${packMonthUs} ${packYear}`,
      }))}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      error={complaint(error)}
      classNames={fieldClasses}
    />
  );
};
