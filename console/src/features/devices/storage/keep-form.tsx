import { Radio } from "@mantine/core";
import type { DeviceDetail } from "@telltale/contract/domains/devices";
import { type MonthsKept, monthsKeptRange, storage } from "@telltale/contract/domains/readings/storage";
import { count } from "@telltale/contract/text/counted";
import { type ReactNode, useState } from "react";
import { TextField } from "../../../form/text-field.tsx";
import { useCallForm } from "../../../form/use-call-form.ts";
import classes from "./storage-dialog.module.css";
import type { Kept, KeptOf } from "./use-keep-readings.tsx";

interface KeepFormProps {
  formId: string;
  device: DeviceDetail;
  monthsKept: MonthsKept;
  onKeep: (kept: Kept) => void;
}

const labels: Record<KeptOf, string> = { device: "This device", plant: "All devices of the plant" };
const descriptions: Record<KeptOf, string> = {
  device: "Empty: as long as the plant's",
  plant: "Empty: as long as the operator keeps them",
};

/** For how many months readings are kept: those of the device, or of all devices. */
export const KeepForm = ({ formId, device, monthsKept, onKeep }: KeepFormProps): ReactNode => {
  const [of, setOf] = useState<KeptOf>("device");
  const form = useCallForm(
    storage.keepOfDevice,
    ({ months }) => onKeep({ of, months: months === 0 ? null : months, before: monthsKept[of] }),
    ({ months }) => ({ deviceId: String(device.deviceId), months: months === "" ? "0" : months }),
  );
  return (
    <form id={formId} {...form.props} className={classes.form}>
      <fieldset className={classes.choice}>
        <legend>Keep readings of</legend>
        {(["device", "plant"] as const).map((each) => (
          <Radio key={each} label={labels[each]} checked={of === each} onChange={() => setOf(each)} />
        ))}
      </fieldset>
      <TextField
        key={of}
        {...form.field("months")}
        label="For how many months"
        description={`${monthsKeptRange.least} to ${count(monthsKeptRange.most)}. ${descriptions[of]}`}
        defaultValue={monthsKept[of] ?? ""}
        inputMode="numeric"
        autoComplete="off"
      />
    </form>
  );
};
