import { useMutation } from "@tanstack/react-query";
import type { CallError } from "@telltale/contract/call/client";
import {
  DataType,
  type DownloadDevice,
  DownloadMessage,
  downloads,
} from "@telltale/contract/domains/readings/downloads";
import { useRef, useState } from "react";
import { client } from "../../session/client.ts";
import { useInvalidate } from "../../session/invalidate.ts";
import { showFailure } from "../../session/query.ts";
import { saveFile } from "../../session/save-file.ts";
import { inform } from "../../ui/dialog/messages.ts";

/** The selection so far. */
export interface Choice {
  device: DownloadDevice | null;
  type: DataType | null;
  packLogId: number | null;
  days: [first: string | null, last: string | null];
}

const nothing: Choice = { device: null, type: null, packLogId: null, days: [null, null] };

export type ValidationErrors = Partial<Record<"device" | "type" | "package" | "days", string>>;

/** Errors of missing fields. (spec 1 §5) */
const errorsOf = ({ device, type, packLogId, days }: Choice): ValidationErrors => ({
  ...(device ? {} : { device: DownloadMessage.device }),
  ...(type === null ? { type: DownloadMessage.dataType } : {}),
  ...(type === DataType.chosen && !(days[0] && days[1]) ? { days: DownloadMessage.range } : {}),
  ...(type === DataType.consolidated && packLogId === null ? { package: DownloadMessage.package } : {}),
});

/** The server takes the days as those of the device's time zone. */
const saveRange = async ({ device, days: [startTime, endTime] }: Choice, cancelled: AbortSignal): Promise<void> => {
  if (!device || !startTime || !endTime) return;
  await saveFile(downloads.export, { deviceId: device.deviceId, type: DataType.chosen, startTime, endTime }, cancelled);
};

const savePackage = async (packLogId: number, cancelled: AbortSignal): Promise<void> => {
  await saveFile(downloads.package, { packLogId }, cancelled);
  await client(downloads.log, { packLogId });
};

/** A download that was asked for, until Cancel aborts it. */
interface Asked {
  choice: Choice;
  cancelled: AbortSignal;
}

const save = ({ choice, cancelled }: Asked): Promise<void> =>
  choice.packLogId !== null && choice.type === DataType.consolidated
    ? savePackage(choice.packLogId, cancelled)
    : saveRange(choice, cancelled);

/** State of the download dialog: the selection, which begins with a device where one is given, its errors, and the download. `onDone` closes the dialog. */
export const useDownload = (onDone: () => void, device: DownloadDevice | null) => {
  const invalidate = useInvalidate();
  const first = { ...nothing, device };
  const [choice, setChoice] = useState(first);
  const [isChecked, setChecked] = useState(false);
  const leave = () => {
    onDone();
    setChoice(first);
    setChecked(false);
  };
  const asked = useRef(new AbortController());
  const { mutate, isPending, reset } = useMutation<void, CallError, Asked>({
    mutationFn: save,
    onSuccess: () => {
      inform("The download has started");
      invalidate([downloads.history]);
    },
    onError: (fault, { cancelled }) => {
      if (!cancelled.aborted) showFailure(fault);
    },
  });
  return {
    choice,
    /** Shown from the first attempt on. */
    validationErrors: isChecked ? errorsOf(choice) : {},
    isBusy: isPending,
    change: (part: Partial<Choice>) => setChoice((old) => ({ ...old, ...part })),
    submit: () => {
      setChecked(true);
      if (Object.keys(errorsOf(choice)).length > 0) return;
      asked.current = new AbortController();
      // Not of the mutation: after Cancel the dialog may be open for another device.
      mutate({ choice, cancelled: asked.current.signal }, { onSuccess: leave });
    },
    cancel: () => {
      asked.current.abort();
      reset();
      leave();
    },
  };
};

export type Download = ReturnType<typeof useDownload>;
