import { IconRefreshDot } from "@tabler/icons-react";
import {
  deviceConfiguration,
  longestReportInterval,
  offlineReportRange,
} from "@telltale/contract/domains/device-configuration";
import { type ReactNode, useId } from "react";
import type { ListedDevice } from "../../../domain/devices/device-columns.tsx";
import { TextField } from "../../../form/text-field.tsx";
import { useCallForm } from "../../../form/use-call-form.ts";
import { Button } from "../../../ui/control/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { SubmitDialog } from "../../../ui/dialog/submit-dialog.tsx";
import { useDialogSubject } from "../../../ui/dialog/use-dialog-subject.ts";
import classes from "./settings-dialog.module.css";
import { useSettingsForm } from "./use-settings-form.ts";

interface SettingsDialogProps {
  device: ListedDevice;
  isOpen: boolean;
  onClose: () => void;
}

type Flow = ReturnType<typeof useSettingsForm>;

/** Read-only facts of the device, and its editable name and report intervals. */
const Fields = ({ flow, formId }: { flow: Flow; formId: string }): ReactNode => {
  const { device, validationError, clearError } = flow;
  const form = useCallForm(deviceConfiguration.update, flow.save, (fields) => ({
    ...fields,
    deviceId: String(device.deviceId),
  }));
  const interval = form.field("periodicity");
  return (
    <form id={formId} {...form.props} className={classes.fields}>
      <TextField label="Device" value={device.deviceSn} readOnly />
      <TextField label="Device id" value={device.deviceSnId} readOnly />
      <TextField label="Parent" value={device.parentDeviceName ?? "--"} readOnly className={classes.whole} />
      <TextField
        {...form.field("deviceName")}
        label="Device name"
        className={classes.whole}
        defaultValue={device.deviceName}
        maxLength={64}
        autoComplete="off"
        data-autofocus
      />
      <TextField
        {...form.field("offlineReport")}
        label="Offline reporting time"
        description={`Minutes, ${offlineReportRange.least} to ${offlineReportRange.most}`}
        defaultValue={device.offlineReport}
        inputMode="numeric"
        autoComplete="off"
      />
      <TextField
        {...interval}
        error={interval.error ?? validationError}
        onInput={() => {
          interval.onInput();
          clearError();
        }}
        label="Report interval"
        description={`Seconds, ${device.reportIntervalLimit} to ${longestReportInterval}. A change sets it for all channels`}
        defaultValue={device.periodicity}
        inputMode="numeric"
        autoComplete="off"
      />
    </form>
  );
};

interface RestartQuestionProps {
  flow: Flow;
  isOpen: boolean;
  /** Whether there is unsaved input. */
  isDirty: boolean;
  onClose: () => void;
}

const RestartQuestion = ({ flow, isOpen, isDirty, onClose }: RestartQuestionProps): ReactNode => (
  <ConfirmDialog
    isOpen={isOpen}
    onClose={onClose}
    title="Restart device"
    action="Restart"
    onConfirm={() => flow.restart(onClose)}
    isBusy={flow.isBusy}
  >
    Are you sure that you want to restart this device?
    <p>
      <b>{flow.device.deviceName}</b>, {flow.device.deviceSnId}
    </p>
    <p>
      It disconnects for a moment and measures nothing until it is back; so do sub-devices that report through it.
      Outputs may fall off and are set again when it has connected.
    </p>
    {isDirty && <p>Restarting does not save your input. It stays in the form.</p>}
  </ConfirmDialog>
);

/** Whether the form differs from the device's settings. */
const isChanged = (formId: string, { deviceName, offlineReport, periodicity }: ListedDevice): boolean => {
  const form = document.getElementById(formId);
  const typed = form instanceof HTMLFormElement ? new FormData(form) : undefined;
  const saved = { deviceName, offlineReport, periodicity };
  return Object.entries(saved).some(([name, value]) => typed !== undefined && typed.get(name) !== String(value));
};

/** A device's own settings, and its restart. (spec 2 §2) */
export const SettingsDialog = ({ device, isOpen, onClose }: SettingsDialogProps): ReactNode => {
  const formId = useId();
  const flow = useSettingsForm(device, onClose);
  const { subject: isDirty = false, isOpen: isAsking, open: ask, close } = useDialogSubject<boolean>();
  return (
    <SubmitDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Device settings"
      formId={formId}
      isBusy={flow.isBusy}
      others={
        <Button
          variant="default"
          className={classes.restart}
          leftSection={<IconRefreshDot size={16} aria-hidden />}
          onClick={() => ask(isChanged(formId, flow.device))}
          disabled={flow.isBusy}
        >
          Restart
        </Button>
      }
    >
      <Fields flow={flow} formId={formId} />
      <RestartQuestion flow={flow} isOpen={isAsking} isDirty={isDirty} onClose={close} />
      {flow.review}
    </SubmitDialog>
  );
};
