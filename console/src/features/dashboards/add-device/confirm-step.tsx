import { DeviceType, devices } from "@telltale/contract/devices";
import { useEffect, useRef } from "react";
import { TextField } from "../../../form/text-field.tsx";
import { useCallForm } from "../../../form/use-call-form.ts";
import { ParentField } from "./parent-field.tsx";
import type { AddDeviceFlow, FoundDevice } from "./use-add-device.ts";

interface ConfirmStepProps {
  flow: AddDeviceFlow;
  found: FoundDevice;
  formId: string;
}

/** Step 3: P/N and device ID as they were found, the name to give, and for a sub-device the main device it hangs on. */
export const ConfirmStep = ({ flow, found, formId }: ConfirmStepProps) => {
  const name = useRef<HTMLInputElement>(null);
  const form = useCallForm(devices.add, flow.create);
  useEffect(() => name.current?.focus(), []);
  return (
    <form id={formId} {...form.props}>
      <TextField label="Device" value={found.deviceSn} readOnly />
      <TextField label="Device id" name="deviceSnId" value={found.deviceSnId} readOnly />
      {found.deviceType === DeviceType.sub && <ParentField field={form.field("parentDeviceId")} />}
      <TextField {...form.field("deviceName")} ref={name} label="Device name" maxLength={64} autoComplete="off" />
    </form>
  );
};
