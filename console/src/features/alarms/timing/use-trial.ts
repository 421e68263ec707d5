import { useDebouncedValue } from "@mantine/hooks";
import type { Input } from "@telltale/contract/call/call";
import type { CallError } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { type AlarmTrial, alarmTrial } from "@telltale/contract/domains/alerting/trial";
import { useEffect, useEffectEvent, useState } from "react";
import { useCall } from "../../../session/use-call.ts";
import type { Typed } from "../alarm-fields.ts";

/** How long the fields must have rested before the alert is tried, milliseconds. */
const rest = 600;
/** How long an answer is good for the same fields, milliseconds. */
const goodFor = 300_000;
/** An account has one trial at a time: the next one asks again after this time, milliseconds, and so often. */
const again = { after: 500, times: 40 };

export type TrialInput = Input<typeof alarmTrial.try>;

/** What does not change what an alert raises; that may be missing or wrong while it is tried. */
const beside = new Set(["alarmName", "notifyUserIds", "planId", "priority", "response", "enabled"]);

/** The fields of the form as a trial sends them; undefined while they are incomplete or wrong. */
const inputOf = (fields: Record<string, unknown>, days: number): TrialInput | undefined => {
  const watched = Object.fromEntries(Object.entries(fields).filter(([name]) => !beside.has(name)));
  const parsed = alarmTrial.try.body?.safeParse({ ...watched, alarmName: "Try it", days: String(days) });
  return parsed?.success ? parsed.data : undefined;
};

interface Watched {
  key: string;
  input: TrialInput | undefined;
}

/** The fields of the form around this element, as they change. */
const useWatched = (element: HTMLElement, read: (typed: Typed) => Record<string, unknown>, days: number): Watched => {
  const [watched, setWatched] = useState<Watched>({ key: "", input: undefined });
  const look = useEffectEvent(() => {
    const form = element.closest("form");
    if (!form) return;
    const input = inputOf(read(Object.fromEntries(new FormData(form))), days);
    const key = JSON.stringify(input ?? null);
    if (key !== watched.key) setWatched({ key, input });
  });
  useEffect(() => {
    const form = element.closest("form");
    const hear = () => look();
    form?.addEventListener("input", hear);
    return () => form?.removeEventListener("input", hear);
  }, [element]);
  // What is chosen from a list is no input event; it draws the form anew.
  useEffect(() => look());
  return watched;
};

/** A result with the fields that it is about. */
export interface FinishedTrial {
  input: TrialInput;
  trial: AlarmTrial;
}

export interface RunningTrial {
  /** The newest result; undefined while the fields are incomplete or wrong. */
  finished: FinishedTrial | undefined;
  error: CallError | null;
  /** A result is awaited. */
  isRunning: boolean;
  retry: () => void;
}

/** Tries the alert in the form by itself, whenever its fields have rested. */
export const useTrial = (
  element: HTMLElement,
  read: (typed: Typed) => Record<string, unknown>,
  days: number,
): RunningTrial => {
  const watched = useWatched(element, read, days);
  const [settled] = useDebouncedValue(watched, rest);
  const { input } = settled;
  const [finished, setFinished] = useState<FinishedTrial>();
  const { data, error, isFetching, isPlaceholderData, refetch } = useCall(alarmTrial.try, input ?? {}, {
    enabled: input !== undefined,
    staleTime: goodFor,
    meta: { isShownInPlace: true },
    retry: (failures, { code }) => code === Code.conflict && failures < again.times,
    retryDelay: again.after,
  });
  if (input && data && !isPlaceholderData && data !== finished?.trial) setFinished({ input, trial: data });
  return {
    finished: input && !error ? finished : undefined,
    error: input ? error : null,
    isRunning: watched.input !== undefined && (isFetching || watched.key !== settled.key),
    retry: () => void refetch(),
  };
};
