import { type ReactNode, useEffect, useRef } from "react";
import { goToField } from "../../../form/go-to-field.ts";
import { TextField } from "../../../form/text-field.tsx";
import classes from "./add-device.module.css";
import type { AddDeviceFlow } from "./use-add-device.ts";

interface DeviceIdStepProps {
  flow: AddDeviceFlow;
  formId: string;
  /** The alternative for a device without a Telltale ID. */
  alternative?: ReactNode;
  /** Filled in: of the label that was scanned. */
  deviceSnId?: string | undefined;
}

/** Step 1: the device ID printed on the unit. */
export const DeviceIdStep = ({ flow, formId, alternative, deviceSnId = "" }: DeviceIdStepProps) => {
  const field = useRef<HTMLInputElement>(null);
  const { validationError } = flow;
  useEffect(() => {
    if (validationError) goToField(field.current);
  }, [validationError]);
  return (
    <form
      id={formId}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        flow.lookUp(field.current?.value ?? "");
      }}
    >
      <TextField
        ref={field}
        label="Device ID"
        description="Printed on the unit's label"
        defaultValue={flow.found?.deviceSnId ?? deviceSnId}
        error={validationError}
        onInput={flow.clearError}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        className={classes.deviceId}
        data-autofocus
      />
      {alternative}
    </form>
  );
};
