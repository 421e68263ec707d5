import { useMutation } from "@tanstack/react-query";
import type { CallError } from "@telltale/contract/client";
import { DataType, type DownloadDevice, DownloadMessage, downloads } from "@telltale/contract/downloads";
import { useState } from "react";
import { zoneOf } from "../../format/zone.ts";
import { client } from "../../session/client.ts";
import { useOutdate } from "../../session/outdate.ts";
import { showFailure } from "../../session/query.ts";
import { saveFile } from "../../session/save-file.ts";
import { inform } from "../../ui/notify.tsx";
import { momentsOf } from "./days.ts";

/** What has been chosen so far. */
export interface Choice {
  device: DownloadDevice | null;
  type: DataType | null;
  packLogId: number | null;
  days: [first: string | null, last: string | null];
}

const nothing: Choice = { device: null, type: null, packLogId: null, days: [null, null] };

export type Complaints = Partial<Record<"device" | "type" | "package" | "days", string>>;

/** What is left out, by field. (spec 1 §5) */
const complaintsOf = ({ device, type, packLogId, days }: Choice): Complaints => ({
  ...(device ? {} : { device: DownloadMessage.device }),
  ...(type === null ? { type: DownloadMessage.dataType } : {}),
  ...(type === DataType.chosen && !(days[0] && days[1]) ? { days: DownloadMessage.range } : {}),
  ...(type === DataType.consolidated && packLogId === null ? { package: DownloadMessage.package } : {}),
});

const saveRange = async ({ device, days: [first, last] }: Choice): Promise<void> => {
  const range = momentsOf(first ?? "", last ?? "", zoneOf(device?.timeZoneId ?? "UTC"));
  if (device) await saveFile(downloads.export, { deviceId: device.deviceId, type: DataType.chosen, ...range });
};

const savePackage = async (packLogId: number): Promise<void> => {
  await saveFile(downloads.package, { packLogId });
  await client(downloads.log, { packLogId });
};

const save = (choice: Choice): Promise<void> =>
  choice.packLogId !== null && choice.type === DataType.consolidated
    ? savePackage(choice.packLogId)
    : saveRange(choice);

/** What is chosen in the dialog, what is left out of it, and the download. `onDone` closes the dialog. */
export const useDownload = (onDone: () => void) => {
  const outdate = useOutdate();
  const [choice, setChoice] = useState(nothing);
  const [isChecked, setChecked] = useState(false);
  const leave = () => {
    onDone();
    setChoice(nothing);
    setChecked(false);
  };
  const { mutate, isPending } = useMutation<void, CallError, Choice>({
    mutationFn: save,
    onSuccess: () => {
      inform("The download has started");
      outdate([downloads.history]);
      leave();
    },
    onError: showFailure,
  });
  return {
    choice,
    /** Said from the first try on. */
    complaints: isChecked ? complaintsOf(choice) : {},
    isBusy: isPending,
    change: (part: Partial<Choice>) => setChoice((old) => ({ ...old, ...part })),
    submit: () => {
      setChecked(true);
      if (Object.keys(complaintsOf(choice)).length === 0) mutate(choice);
    },
    cancel: leave,
  };
};

export type Download = ReturnType<typeof useDownload>;
