import { Button } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import { StepHead } from "../../../ui/step-head.tsx";
import { ConfirmStep } from "./confirm-step.tsx";
import { DeviceIdStep } from "./device-id-step.tsx";
import { PowerUpStep } from "./power-up-step.tsx";
import { type AddDeviceFlow, type Purpose, Step, useAddDevice } from "./use-add-device.ts";

const stepNames = ["Device ID", "Power up", "Confirm"];

interface ContentProps {
  flow: AddDeviceFlow;
  formId: string;
  alternative: ReactNode;
}

const Content = ({ flow, formId, alternative }: ContentProps) => {
  if (flow.found === undefined || flow.step === Step.deviceId)
    return <DeviceIdStep flow={flow} formId={formId} alternative={alternative} />;
  if (flow.step === Step.powerUp) return <PowerUpStep flow={flow} formId={formId} />;
  return <ConfirmStep flow={flow} found={flow.found} formId={formId} />;
};

interface AddDeviceDialogProps {
  isOpen: boolean;
  onClose: () => void;
  purpose: Purpose;
  /** Stands under the device ID: a way for a device that has none. */
  alternative?: ReactNode;
}

const titles: Record<Purpose, string> = { device: "Add device", account: "Create a new admin account" };

/** Adds a device by its ID in three steps: the ID, a hint, the confirm form; to this account or to a new one. (spec 1 §2) */
export const AddDeviceDialog = ({ isOpen, onClose, purpose, alternative }: AddDeviceDialogProps) => {
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
      <Content flow={flow} formId={formId} alternative={alternative} />
    </Dialog>
  );
};
