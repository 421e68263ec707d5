import type { Input } from "@telltale/contract/call/call";
import { Code } from "@telltale/contract/call/codes";
import { DeviceMessage, deviceConfiguration, UpdateEffect } from "@telltale/contract/domains/device-configuration";
import { devices } from "@telltale/contract/domains/devices";
import { useState } from "react";
import type { ListedDevice } from "../../../domain/devices/device-columns.tsx";
import type { MergeGroup } from "../../../form/merge.ts";
import { useMergedSave } from "../../../form/use-merged-save.tsx";
import { client } from "../../../session/client.ts";
import { showFailure } from "../../../session/query.ts";
import { useAction } from "../../../session/use-call.ts";
import { inform, warn } from "../../../ui/dialog/messages.ts";

type Typed = Input<typeof deviceConfiguration.update>;

/** Reads the device's current state from the server. */
const readCurrent = async ({ deviceId, deviceSnId }: ListedDevice): Promise<ListedDevice | undefined> => {
  const { data } = await client(devices.list, { deviceSnId, size: 200 });
  return data.flatMap((row) => [row, ...row.subDevices]).find((row) => row.deviceId === deviceId);
};

/** The error of an interval below the device's own limit. */
const limitError = ({ periodicity }: Typed, { reportIntervalLimit }: ListedDevice): string | undefined =>
  periodicity !== undefined && periodicity < reportIntervalLimit
    ? DeviceMessage.belowLimit(reportIntervalLimit)
    : undefined;

const isSame = (typed: Typed, device: ListedDevice): boolean =>
  typed.deviceName === device.deviceName &&
  typed.offlineReport === device.offlineReport &&
  typed.periodicity === device.periodicity;

const fieldsOf = ({ deviceId, deviceName, offlineReport, periodicity }: ListedDevice): Typed => ({
  deviceId,
  deviceName,
  offlineReport,
  periodicity,
});

const groups: MergeGroup<Typed, ListedDevice>[] = [
  { label: "Device name", keys: ["deviceName"], text: ({ deviceName = "" }) => deviceName },
  { label: "Offline reporting time", keys: ["offlineReport"], text: ({ offlineReport }) => `${offlineReport} min` },
  { label: "Report interval", keys: ["periodicity"], text: ({ periodicity }) => `${periodicity} s` },
];

/** Saves a device's own settings and restarts it; on a conflict the other user's changes are shown beside the form's. */
export const useSettingsForm = (device: ListedDevice, onClose: () => void) => {
  const [validationError, setError] = useState<string>();
  const update = useAction(deviceConfiguration.update, {
    invalidates: [devices.list],
    onDone: ({ effect }) => {
      inform(effect === UpdateEffect.restarted ? `${device.deviceName} restarts` : "Modify successful");
      if (effect === UpdateEffect.changed) onClose();
    },
  });
  const { deviceId } = device;
  /** The device as a restart names it: the current interval and the version that was read. */
  const [current, setCurrent] = useState(device);
  const { save, dialog } = useMergedSave<Typed, ListedDevice>({
    opened: device,
    fieldsOf,
    groups,
    read: () => readCurrent(device),
    invalidates: [devices.list],
    send: (typed, version, onError) =>
      update.mutate({ ...typed, deviceId, ...(version !== undefined && { version }) }, { onError }),
    isBusy: update.isPending,
    onGone: onClose,
  });
  return {
    device,
    validationError,
    clearError: () => setError(undefined),
    isBusy: update.isPending,
    save: (typed: Typed) => {
      const wrong = limitError(typed, device);
      setError(wrong);
      if (wrong !== undefined) return;
      if (isSame(typed, device)) return warn(DeviceMessage.noChanges);
      save({ ...typed, deviceId });
    },
    review: dialog,
    restart: (onSettled: () => void) =>
      update.mutate(
        { deviceId, periodicity: current.periodicity, version: current.version },
        {
          onSettled,
          onError: ({ code }) => {
            if (code === Code.conflict)
              void readCurrent(device).then((found) => found && setCurrent(found), showFailure);
          },
        },
      ),
  };
};
