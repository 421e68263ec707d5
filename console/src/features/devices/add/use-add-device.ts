import { useMutation } from "@tanstack/react-query";
import type { Input, Result } from "@telltale/contract/call/call";
import type { CallError } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { DeviceType, devices } from "@telltale/contract/domains/devices";
import { useState } from "react";
import { client } from "../../../session/client.ts";
import { useInvalidate } from "../../../session/invalidate.ts";
import { continueInNewAccount } from "../../../session/new-account.ts";
import { showFailure } from "../../../session/query.ts";
import { useAction } from "../../../session/use-call.ts";

/** The steps in order. */
export const Step = { deviceId: 0, powerUp: 1, confirm: 2 } as const;
export type Step = (typeof Step)[keyof typeof Step];

/** An unclaimed device. */
export type FoundDevice = Result<typeof devices.lookUp>;

/** What the device is added to: the current account, or a new one that is opened for it. */
export type Purpose = "device" | "account";

export interface AddDeviceFlow {
  step: Step;
  found: FoundDevice | undefined;
  /** The error of the device ID. */
  validationError: string | undefined;
  isBusy: boolean;
  /** Looks the device ID up and continues to the hint. */
  lookUp: (deviceSnId: string) => void;
  clearError: () => void;
  next: () => void;
  back: () => void;
  create: (input: Input<typeof devices.add>) => void;
  cancel: () => void;
}

/** Errors about the device ID, shown below its field; all others are notifications. */
const aboutTheId: readonly number[] = [Code.notFound, Code.conflict, Code.invalid];

/** The contract's validation error of a device ID, before the server is asked. */
const errorOf = (deviceSnId: string): string | undefined => {
  const { query } = devices.lookUp;
  return query?.safeDecode({ deviceSnId }).error?.issues[0]?.message;
};

const needsMaster = "A sub-device reports through a main device: add it to the main device's account";

const created = "Create successful";

/** Opens the account and adds the device to it; then continues there after a page reload. */
const addToNewAccount = (input: Input<typeof devices.add>): Promise<void> =>
  continueInNewAccount(
    input.deviceSnId,
    async (newClient, accountId) => {
      await newClient(devices.add, { ...input, accountId });
    },
    created,
  );

/** State of 'Add device'. `onClose` closes the dialog; the next opening starts at step 1. */
export const useAddDevice = (onClose: () => void, purpose: Purpose): AddDeviceFlow => {
  const invalidate = useInvalidate();
  const [step, setStep] = useState<Step>(Step.deviceId);
  const [validationError, setError] = useState<string>();

  const search = useMutation<FoundDevice, CallError, string>({
    mutationFn: (deviceSnId) => client(devices.lookUp, { deviceSnId: deviceSnId.trim() }),
    onSuccess: ({ deviceType }) => {
      if (purpose === "account" && deviceType === DeviceType.sub) setError(needsMaster);
      else setStep(Step.powerUp);
    },
    onError: (error) => (aboutTheId.includes(error.code) ? setError(error.message) : showFailure(error)),
  });

  const leave = () => {
    onClose();
    setStep(Step.deviceId);
    setError(undefined);
    search.reset();
  };
  const add = useAction(devices.add, {
    success: created,
    onDone: () => {
      leave();
      // A new device affects tiles, device lists and users' permissions, so everything is refetched.
      invalidate();
    },
  });

  const open = useMutation<void, CallError, Input<typeof devices.add>>({
    mutationFn: addToNewAccount,
    onError: showFailure,
  });

  return {
    step,
    found: search.data,
    validationError,
    isBusy: search.isPending || add.isPending || open.isPending || open.isSuccess,
    lookUp: (deviceSnId) => {
      const wrong = errorOf(deviceSnId);
      setError(wrong);
      if (wrong === undefined) search.mutate(deviceSnId);
    },
    clearError: () => setError(undefined),
    next: () => setStep(Step.confirm),
    back: () => setStep((current) => (current === Step.confirm ? Step.powerUp : Step.deviceId)),
    create: (input) => (purpose === "account" ? open.mutate(input) : add.mutate(input)),
    cancel: leave,
  };
};
