import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Input, Result } from "@telltale/contract/call";
import type { CallError } from "@telltale/contract/client";
import { Code } from "@telltale/contract/codes";
import { devices } from "@telltale/contract/devices";
import { useState } from "react";
import { client } from "../../../session/client.ts";
import { showFailure } from "../../../session/query.ts";
import { useAction } from "../../../session/use-call.ts";

/** The steps in their order. */
export const Step = { deviceId: 0, powerUp: 1, confirm: 2 } as const;
export type Step = (typeof Step)[keyof typeof Step];

/** A device that nobody has added yet. */
export type FoundDevice = Result<typeof devices.lookUp>;

export interface AddDeviceFlow {
  step: Step;
  found: FoundDevice | undefined;
  /** What is wrong with the device ID. */
  complaint: string | undefined;
  isBusy: boolean;
  /** Looks the device ID up and goes on to the hint. */
  lookUp: (deviceSnId: string) => void;
  clearComplaint: () => void;
  next: () => void;
  back: () => void;
  create: (input: Input<typeof devices.add>) => void;
  cancel: () => void;
}

/** Refusals that are about the device ID and stand under its field; all others are notifications. */
const aboutTheId: readonly number[] = [Code.notFound, Code.conflict, Code.invalid];

/** What the contract says against a device ID before the server is asked. */
const complaintOf = (deviceSnId: string): string | undefined => {
  const { query } = devices.lookUp;
  return query?.safeDecode({ deviceSnId }).error?.issues[0]?.message;
};

/** Where 'Add device' stands. `onClose` closes the dialog; the next opening starts at step 1. */
export const useAddDevice = (onClose: () => void): AddDeviceFlow => {
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>(Step.deviceId);
  const [complaint, setComplaint] = useState<string>();

  const search = useMutation<FoundDevice, CallError, string>({
    mutationFn: (deviceSnId) => client(devices.lookUp, { deviceSnId: deviceSnId.trim() }),
    onSuccess: () => setStep(Step.powerUp),
    onError: (error) => (aboutTheId.includes(error.code) ? setComplaint(error.message) : showFailure(error)),
  });

  const leave = () => {
    onClose();
    setStep(Step.deviceId);
    setComplaint(undefined);
    search.reset();
  };
  const add = useAction(devices.add, {
    success: "Create successful",
    onDone: () => {
      leave();
      // Tiles, device lists, members' rights: a new device shows in all of them.
      void queries.invalidateQueries();
    },
  });

  return {
    step,
    found: search.data,
    complaint,
    isBusy: search.isPending || add.isPending,
    lookUp: (deviceSnId) => {
      const wrong = complaintOf(deviceSnId);
      setComplaint(wrong);
      if (wrong === undefined) search.mutate(deviceSnId);
    },
    clearComplaint: () => setComplaint(undefined),
    next: () => setStep(Step.confirm),
    back: () => setStep((current) => (current === Step.confirm ? Step.powerUp : Step.deviceId)),
    create: (input) => add.mutate(input),
    cancel: leave,
  };
};
