import { Select } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import type { Result } from "@telltale/contract/call/call";
import { modelPrefixes } from "@telltale/contract/domains/devices";
import { mostDevicesOfKey, provisioning, selfRegistering } from "@telltale/contract/domains/fleet/provisioning";
import { useId, useState } from "react";
import { FormMessage } from "../../form/form-message.tsx";
import { fieldClasses, TextField, validationError } from "../../form/text-field.tsx";
import { useCallForm } from "../../form/use-call-form.ts";
import { useAction } from "../../session/use-call.ts";
import { Button } from "../../ui/control/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { day } from "../../ui/format/time.ts";

/** A new key with its secret, which is not readable afterwards. */
export type NewKey = Result<typeof provisioning.add>;

const kinds: Record<(typeof selfRegistering)[number], string> = {
  1: "analog inputs",
  2: "digital inputs",
  3: "digital outputs",
  4: "inputs and outputs",
  5: "vibration",
};
const nameOf = (model: (typeof selfRegistering)[number]) => `${modelPrefixes[model]}: ${kinds[model]}`;
const models = selfRegistering.map((model) => ({ value: String(model), label: nameOf(model) }));

/** Usual validity of a key, milliseconds: long enough to install a fleet. */
const usualTime = 30 * 86_400_000;

interface KeyDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onMade: (made: NewKey) => void;
}

/** The end of the day that was chosen, where the user is. */
const endOfDay = (text: string): string => {
  const end = new Date(`${text}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? text : end.toISOString();
};

/** Makes a provisioning key. Give it a new key at each opening. */
export const KeyDialog = ({ isOpen, onClose, onMade }: KeyDialogProps) => {
  const formId = useId();
  const [model, setModel] = useState<string>(String(selfRegistering[0]));
  const { mutate, reset, isPending, error } = useAction(provisioning.add, {
    invalidates: [provisioning.list],
    isQuiet: true,
    onDone: (made) => {
      onClose();
      onMade(made);
    },
  });
  const form = useCallForm(
    provisioning.add,
    (input) => mutate(input),
    ({ expireTime, ...fields }) => ({ ...fields, expireTime: endOfDay(String(expireTime)) }),
  );
  const footer = (
    <>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} loading={isPending}>
        Confirm
      </Button>
    </>
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Add provisioning key" footer={footer}>
      <form id={formId} {...form.props} onInput={reset}>
        <TextField {...form.field("keyName")} label="Key name" maxLength={64} autoComplete="off" data-autofocus />
        <Select
          name="model"
          data-field="model"
          label="Model"
          description="Of all devices that register with it"
          data={models}
          value={model}
          onChange={(chosen) => setModel(chosen ?? model)}
          allowDeselect={false}
          error={validationError(form.field("model").error)}
          rightSection={<IconChevronDown size={18} aria-hidden />}
          rightSectionPointerEvents="none"
          classNames={fieldClasses}
        />
        <TextField
          {...form.field("deviceLimit")}
          label="Most devices"
          description={`At most ${mostDevicesOfKey.toLocaleString("en")}; deleted ones count, too`}
          defaultValue="300"
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          {...form.field("expireTime")}
          label="Valid until"
          description="The end of this day"
          type="date"
          defaultValue={day(Date.now() + usualTime)}
        />
        <FormMessage>{error?.message}</FormMessage>
      </form>
    </Dialog>
  );
};
