import { MultiSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import type { Input } from "@telltale/contract/call/call";
import type { CallError } from "@telltale/contract/call/client";
import { devices } from "@telltale/contract/domains/devices";
import { LabelSheet, labelSheetNames, labels } from "@telltale/contract/domains/fleet/labels";
import { type FormEvent, useId, useState } from "react";
import { FormMessage } from "../../../form/form-message.tsx";
import { SelectField } from "../../../form/select-field.tsx";
import { fieldClasses, TextField } from "../../../form/text-field.tsx";
import { saveFile } from "../../../session/save-file.ts";
import { useCall } from "../../../session/use-call.ts";
import { SubmitDialog } from "../../../ui/dialog/submit-dialog.tsx";
import classes from "./labels-dialog.module.css";

/** A device that labels can be printed for. */
export interface LabelledDevice {
  deviceId: number;
  deviceName: string;
  deviceSnId: string;
}

/** Maximum results of one search, and its debounce in milliseconds. */
const offered = 50;
const pause = 250;

const optionOf = ({ deviceId, deviceName, deviceSnId }: LabelledDevice) => ({
  value: String(deviceId),
  // Device names need not be unique.
  label: `${deviceName} (${deviceSnId})`,
});

type Option = ReturnType<typeof optionOf>;

interface DevicesFieldProps {
  chosen: readonly Option[];
  setChosen: (chosen: Option[]) => void;
}

/** The devices, searched by name. */
const DevicesField = ({ chosen, setChosen }: DevicesFieldProps) => {
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed, pause);
  const { data } = useCall(devices.list, { size: offered, ...(search === "" ? {} : { deviceName: search }) });
  const found = (data?.data ?? []).flatMap((device) => [device, ...device.subDevices]).map(optionOf);
  const options = [...chosen, ...found.filter(({ value }) => !chosen.some((each) => each.value === value))];
  return (
    <MultiSelect
      label="Devices"
      description="None: all devices of the plant"
      data={options}
      value={chosen.map(({ value }) => value)}
      onChange={(values) => setChosen(options.filter(({ value }) => values.includes(value)))}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options: all }) => all}
      nothingFoundMessage="No device of this name"
      classNames={fieldClasses}
    />
  );
};

const sheets = Object.entries(labelSheetNames).map(([value, label]) => ({ value, label }));

interface LabelsDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Chosen at first; undefined: all devices. */
  device: LabelledDevice | undefined;
}

/** Prints labels with QR codes. Give it a new key at each opening. */
export const LabelsDialog = ({ isOpen, onClose, device }: LabelsDialogProps) => {
  const formId = useId();
  const [sheet, setSheet] = useState(String(LabelSheet.medium));
  const [chosen, setChosen] = useState(device ? [optionOf(device)] : []);
  const [wrong, setWrong] = useState<string>();
  const { mutate, isPending, error, reset } = useMutation<void, CallError, Input<typeof labels.pdf>>({
    mutationFn: (input) => saveFile(labels.pdf, input),
    onSuccess: onClose,
  });
  const print = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const skip = String(new FormData(event.currentTarget).get("skip")).trim() || "0";
    const deviceIds = chosen.map(({ value }) => value).join(",");
    const read = labels.pdf.query?.safeDecode({ sheet, skip, ...(deviceIds === "" ? {} : { deviceIds }) });
    setWrong(read?.error?.issues[0]?.message);
    if (read?.success) mutate(read.data);
  };
  const clear = () => {
    reset();
    setWrong(undefined);
  };
  return (
    <SubmitDialog isOpen={isOpen} onClose={onClose} title="Labels" formId={formId} action="Save PDF" isBusy={isPending}>
      <form id={formId} noValidate onSubmit={print} onInput={clear}>
        <p className={classes.intro}>
          Each label has name, P/N and device ID, and a QR code that opens Add device. Print at actual size.
        </p>
        <DevicesField chosen={chosen} setChosen={setChosen} />
        <SelectField
          label="Sheet"
          description="Self-adhesive labels on A4"
          data={sheets}
          value={sheet}
          onChange={(value) => setSheet(value ?? sheet)}
        />
        <TextField
          label="Used labels"
          description="Of the first sheet: they are left out"
          name="skip"
          defaultValue="0"
          inputMode="numeric"
          autoComplete="off"
        />
        <FormMessage>{wrong ?? error?.message}</FormMessage>
      </form>
    </SubmitDialog>
  );
};
