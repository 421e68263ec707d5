import type { Input } from "@telltale/contract/call";
import { Code } from "@telltale/contract/codes";
import { DeviceMessage, deviceConfiguration, UpdateEffect } from "@telltale/contract/device-configuration";
import { devices } from "@telltale/contract/devices";
import { useState } from "react";
import { client } from "../../../session/client.ts";
import { useOutdate } from "../../../session/outdate.ts";
import { showFailure } from "../../../session/query.ts";
import { useAction } from "../../../session/use-call.ts";
import type { ListedDevice } from "../../../table/device-columns.tsx";
import { inform, warn } from "../../../ui/notify.tsx";

type Typed = Input<typeof deviceConfiguration.update>;

/** The device once more, as the server has it now. */
const readAgain = async ({ deviceId, deviceSnId }: ListedDevice): Promise<ListedDevice | undefined> => {
  const { data } = await client(devices.list, { deviceSnId, size: 200 });
  return data.flatMap((row) => [row, ...row.subDevices]).find((row) => row.deviceId === deviceId);
};

/** What is wrong with an interval that only the device's own limit tells. */
const limitComplaint = ({ periodicity }: Typed, { reportIntervalLimit }: ListedDevice): string | undefined =>
  periodicity !== undefined && periodicity < reportIntervalLimit
    ? DeviceMessage.belowLimit(reportIntervalLimit)
    : undefined;

const isSame = (typed: Typed, device: ListedDevice): boolean =>
  typed.deviceName === device.deviceName &&
  typed.offlineReport === device.offlineReport &&
  typed.periodicity === device.periodicity;

/** Saves a device's own settings and has it restart. What somebody else has changed meanwhile is read again; what was typed stays. */
export const useSettingsForm = (subject: ListedDevice, onClose: () => void) => {
  const outdate = useOutdate();
  const [device, setDevice] = useState(subject);
  const [complaint, setComplaint] = useState<string>();
  const update = useAction(deviceConfiguration.update, {
    invalidates: [devices.list],
    onDone: ({ effect }) => {
      inform(effect === UpdateEffect.restarted ? `${device.deviceName} restarts` : "Modify successful");
      if (effect === UpdateEffect.changed) onClose();
    },
  });
  const reload = async () => {
    outdate([devices.list]);
    const found = await readAgain(device);
    if (found) setDevice(found);
    else onClose();
  };
  const send = (input: Partial<Typed>) => {
    const { deviceId, version } = device;
    update.mutate(
      { ...input, deviceId, version },
      {
        onError: ({ code }) => {
          if (code === Code.conflict || code === Code.notFound) void reload().catch(showFailure);
        },
      },
    );
  };
  return {
    device,
    complaint,
    clearComplaint: () => setComplaint(undefined),
    isBusy: update.isPending,
    save: (typed: Typed) => {
      const wrong = limitComplaint(typed, device);
      setComplaint(wrong);
      if (wrong !== undefined) return;
      if (isSame(typed, device)) return warn(DeviceMessage.noChanges);
      send(typed);
    },
    restart: () => send({ periodicity: device.periodicity }),
  };
};
