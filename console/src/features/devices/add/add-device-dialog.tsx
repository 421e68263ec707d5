import { IconBluetooth, IconDeviceMobile, IconPlug } from "@tabler/icons-react";
import { DeviceType, devices } from "@telltale/contract/domains/devices";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { TextField } from "../../../form/text-field.tsx";
import { useCallForm } from "../../../form/use-call-form.ts";
import { Button } from "../../../ui/control/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { StepHead } from "../../../ui/page/step-head.tsx";
import classes from "./add-device.module.css";
import { DeviceIdStep } from "./device-id-step.tsx";
import { ParentField } from "./parent-field.tsx";
import { type AddDeviceFlow, type FoundDevice, type Purpose, Step, useAddDevice } from "./use-add-device.ts";

interface ConfirmStepProps {
  flow: AddDeviceFlow;
  found: FoundDevice;
  formId: string;
}

/** Step 3: P/N and device ID as found, the name to enter, and for a sub-device its main device. */
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

/** Step 2: what to do at the unit before confirming. Enter continues. */
export const PowerUpStep = ({ flow, formId }: { flow: AddDeviceFlow; formId: string }) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.focus(), []);
  return (
    <form
      id={formId}
      ref={form}
      tabIndex={-1}
      className={classes.hint}
      onSubmit={(event) => {
        event.preventDefault();
        flow.next();
      }}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.requestSubmit()}
    >
      <ul>
        <li>
          <IconPlug size={22} stroke={1.6} aria-hidden />
          <span>Power up the unit.</span>
        </li>
        <li>
          <IconDeviceMobile size={22} stroke={1.6} aria-hidden />
          <span>Set up its network through the mobile app.</span>
        </li>
        <li>
          <IconBluetooth size={22} stroke={1.6} aria-hidden />
          <span>The app reaches the unit over Bluetooth: stand beside it.</span>
        </li>
      </ul>
      <p>You can continue before that is done. The device is shown as Inactive until it reports for the first time.</p>
    </form>
  );
};

const stepNames = ["Device ID", "Power up", "Confirm"];

interface ContentProps {
  flow: AddDeviceFlow;
  formId: string;
  alternative: ReactNode;
  deviceSnId: string | undefined;
}

const Content = ({ flow, formId, alternative, deviceSnId }: ContentProps) => {
  if (flow.found === undefined || flow.step === Step.deviceId)
    return <DeviceIdStep flow={flow} formId={formId} alternative={alternative} deviceSnId={deviceSnId} />;
  if (flow.step === Step.powerUp) return <PowerUpStep flow={flow} formId={formId} />;
  return <ConfirmStep flow={flow} found={flow.found} formId={formId} />;
};

interface AddDeviceDialogProps {
  isOpen: boolean;
  onClose: () => void;
  purpose: Purpose;
  /** Shown below the device ID: the alternative for a device without one. */
  alternative?: ReactNode;
  /** Filled in as the device ID. */
  deviceSnId?: string | undefined;
}

const titles: Record<Purpose, string> = { device: "Add device", account: "Create a new admin account" };

/** Adds a device by its ID in three steps: the ID, a hint, the confirm form; to this account or to a new one. (spec 1 §2) */
export const AddDeviceDialog = (props: AddDeviceDialogProps) => {
  const { isOpen, onClose, purpose, alternative, deviceSnId } = props;
  const formId = useId();
  const flow = useAddDevice(onClose, purpose);
  const isFirst = flow.step === Step.deviceId;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={flow.cancel}
      title={titles[purpose]}
      footer={
        <>
          <Button variant="default" onClick={isFirst ? flow.cancel : flow.back}>
            {isFirst ? "Cancel" : "Back"}
          </Button>
          <Button type="submit" form={formId} loading={flow.isBusy}>
            {flow.step === Step.confirm ? "Confirm to create" : "Next"}
          </Button>
        </>
      }
    >
      <StepHead steps={stepNames} current={flow.step} />
      <Content flow={flow} formId={formId} alternative={alternative} deviceSnId={deviceSnId} />
    </Dialog>
  );
};
