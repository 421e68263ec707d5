import type { Result } from "@telltale/contract/call/call";
import { modelPrefixes } from "@telltale/contract/domains/devices";
import { mostDevicesOfKey, provisioning, selfRegistering } from "@telltale/contract/domains/fleet/provisioning";
import { CallDialog } from "../../form/call-dialog.tsx";
import { SelectField } from "../../form/select-field.tsx";
import { TextField } from "../../form/text-field.tsx";
import { useCallForm } from "../../form/use-call-form.ts";
import { useAction } from "../../session/use-call.ts";
import { day } from "../../ui/format/time.ts";
import { serverNow } from "../../ui/server-time.ts";

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
  const sending = useAction(provisioning.add, {
    invalidates: [provisioning.list],
    isQuiet: true,
    onDone: (made) => {
      onClose();
      onMade(made);
    },
  });
  const form = useCallForm(
    provisioning.add,
    (input) => sending.mutate(input),
    ({ expireTime, ...fields }) => ({ ...fields, expireTime: endOfDay(String(expireTime)) }),
  );
  return (
    <CallDialog isOpen={isOpen} onClose={onClose} title="Add provisioning key" form={form} sending={sending}>
      <TextField {...form.field("keyName")} label="Key name" maxLength={64} autoComplete="off" data-autofocus />
      <SelectField
        {...form.field("model")}
        label="Model"
        description="Of all devices that register with it"
        data={models}
        defaultValue={String(selfRegistering[0])}
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
        defaultValue={day(serverNow() + usualTime)}
      />
    </CallDialog>
  );
};
