import { WindowRepeat } from "@telltale/contract/domains/alerting/maintenance";
import { type Silence, SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import type { ChosenDevice } from "../../../domain/devices/device-field.tsx";
import { goToField } from "../../../form/go-to-field.ts";
import { TextField } from "../../../form/text-field.tsx";
import { useAction } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { Consequence, ReasonField } from "./silence-fields.tsx";
import { silencedCalls } from "./use-silent.ts";
import { WindowDevices } from "./window-devices.tsx";
import classes from "./window-fields.module.css";
import { DayField, NextOnes, RepeatField, TimesField, ZoneField } from "./window-fields.tsx";
import { errorsOf, inputOf, nextOf, valuesOf, type WindowValues } from "./window-values.ts";

interface WindowDialogProps {
  /** Undefined plans a new one. */
  silence?: Silence | undefined;
  /** Devices that are chosen at first. */
  devices?: ChosenDevice[];
  isOpen: boolean;
  onClose: () => void;
}

const useSave = (silence: Silence | undefined, onDone: () => void) => {
  const options = { invalidates: silencedCalls, onDone };
  const add = useAction(silences.add, { ...options, success: "Add success" });
  const update = useAction(silences.update, { ...options, success: "Modify successful" });
  const save = (values: WindowValues) => {
    const input = inputOf(values);
    if (silence) update.mutate({ ...input, silenceId: silence.silenceId, version: silence.version });
    else add.mutate({ ...input, kind: SilenceKind.maintenance });
  };
  return { save, isBusy: add.isPending || update.isPending };
};

interface FieldsProps {
  values: WindowValues;
  errors: Partial<Record<string, string>>;
  change: (changed: Partial<WindowValues>) => void;
}

const Fields = ({ values, errors, change }: FieldsProps) => (
  <>
    <TextField
      label="Name"
      value={values.name}
      maxLength={60}
      onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      error={errors.name}
      data-field="name"
      data-autofocus
    />
    <WindowDevices chosen={values.devices} error={errors.deviceIds} onChange={(devices) => change({ devices })} />
    <RepeatField {...{ values, errors, change }} />
    <div className={classes.times} data-daily={values.repeat === WindowRepeat.daily || undefined}>
      <DayField {...{ values, errors, change }} />
      <TimesField {...{ values, errors, change }} />
    </div>
    <ZoneField {...{ values, errors, change }} />
    <ReasonField value={values.reason} onChange={(reason) => change({ reason })} error={errors.reason} />
    <NextOnes next={nextOf(values)} timeZoneId={values.timeZoneId} />
    <Consequence>
      Alerts of these devices go on being recorded, leave the banner and the count, and joint control still acts. Of
      what still stands at the end, people are notified once.
    </Consequence>
  </>
);

/** Plans maintenance of devices, or changes what is planned. */
export const WindowDialog = ({ silence, devices = [], isOpen, onClose }: WindowDialogProps): ReactNode => {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(() => valuesOf(silence, devices));
  const [isAsked, setAsked] = useState(false);
  const { save, isBusy } = useSave(silence, onClose);
  const errors = isAsked ? errorsOf(values) : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    const wrong = errorsOf(values);
    if (Object.keys(wrong).length === 0) return save(values);
    const fields = [...(form.current?.querySelectorAll<HTMLElement>("[data-field]") ?? [])];
    goToField(fields.find(({ dataset }) => wrong[dataset.field ?? ""] !== undefined));
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={silence ? "Edit maintenance" : "Plan maintenance"}
      width={540}
      footer={
        <>
          <span className={classes.most}>At most 72 h</span>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} loading={isBusy}>
            Save
          </Button>
        </>
      }
    >
      <form id={id} ref={form} noValidate onSubmit={submit}>
        <Fields
          values={values}
          errors={errors}
          change={(changed) => setValues((before) => ({ ...before, ...changed }))}
        />
      </form>
    </Dialog>
  );
};
