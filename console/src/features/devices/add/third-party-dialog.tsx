import {
  deviceConfiguration,
  modbusAddressRange,
  thirdPartyPartNumber,
} from "@telltale/contract/domains/device-configuration";
import { type ReactNode, useId } from "react";
import { TextField } from "../../../form/text-field.tsx";
import { useCallForm } from "../../../form/use-call-form.ts";
import { useInvalidate } from "../../../session/invalidate.ts";
import { useAction } from "../../../session/use-call.ts";
import { SubmitDialog } from "../../../ui/dialog/submit-dialog.tsx";
import { ParentField } from "./parent-field.tsx";
import type { CheckedDevice } from "./use-check-device.tsx";

interface ThirdPartyDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The device was added; it is checked next. */
  onAdded: (device: CheckedDevice) => void;
}

/** Adds the third-party controller on a main device's modbus line. Give it a new key at each opening. (spec 2 §2) */
export const ThirdPartyDialog = ({ isOpen, onClose, onAdded }: ThirdPartyDialogProps): ReactNode => {
  const formId = useId();
  const invalidate = useInvalidate();
  const { mutate, isPending } = useAction(deviceConfiguration.addThirdParty, { success: "Add success" });
  const form = useCallForm(deviceConfiguration.addThirdParty, (input) =>
    mutate(input, {
      onSuccess: ({ deviceId }) => {
        // A new device affects tiles, device lists and users' permissions, so everything is refetched.
        invalidate();
        onClose();
        onAdded({ deviceId, deviceName: input.deviceName });
      },
    }),
  );
  return (
    <SubmitDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Add third-party device"
      formId={formId}
      action="Confirm to create"
      isBusy={isPending}
    >
      <form id={formId} {...form.props}>
        <TextField label="P/N" name="deviceSn" value={thirdPartyPartNumber} readOnly />
        <TextField
          {...form.field("address")}
          label="Address"
          description={`On the master's modbus line, ${modbusAddressRange.least} to ${modbusAddressRange.most}`}
          inputMode="numeric"
          autoComplete="off"
          data-autofocus
        />
        <TextField {...form.field("deviceName")} label="Device name" maxLength={64} autoComplete="off" />
        <ParentField field={form.field("parentDeviceId")} label="Master device" missing={form.errors.parentDeviceId} />
      </form>
    </SubmitDialog>
  );
};
