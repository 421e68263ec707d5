import { Button } from "@mantine/core";
import { useId } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import { StepHead } from "../../../ui/step-head.tsx";
import { ConfirmStep } from "./confirm-step.tsx";
import { DeviceIdStep } from "./device-id-step.tsx";
import { PowerUpStep } from "./power-up-step.tsx";
import { type AddDeviceFlow, Step, useAddDevice } from "./use-add-device.ts";

const stepNames = ["Device ID", "Power up", "Confirm"];

const Content = ({ flow, formId }: { flow: AddDeviceFlow; formId: string }) => {
  if (flow.found === undefined || flow.step === Step.deviceId) return <DeviceIdStep flow={flow} formId={formId} />;
  if (flow.step === Step.powerUp) return <PowerUpStep flow={flow} formId={formId} />;
  return <ConfirmStep flow={flow} found={flow.found} formId={formId} />;
};

interface AddDeviceDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Adds a device by its ID in three steps: the ID, a hint, the confirm form. (spec 1 §2) */
export const AddDeviceDialog = ({ isOpen, onClose }: AddDeviceDialogProps) => {
  const formId = useId();
  const flow = useAddDevice(onClose);
  const isFirst = flow.step === Step.deviceId;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={flow.cancel}
      title="Add device"
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
      <Content flow={flow} formId={formId} />
    </Dialog>
  );
};
