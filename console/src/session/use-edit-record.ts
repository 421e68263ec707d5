import type { Input, Result } from "@telltale/contract/call/call";
import type { CallError } from "@telltale/contract/call/client";
import { useState } from "react";
import { type AnyCall, useCall } from "./use-call.ts";

/** The record that a form edits, as loaded when the form opens. */
export interface Opened<C extends AnyCall> {
  /** Undefined while it loads, and for a new record. */
  loaded: Result<C> | undefined;
  /** Whether the form can be shown. */
  isReady: boolean;
  error: CallError | null;
  retry: () => void;
}

/** Loads the record that a form edits; never reuses the answer of an earlier form. Without `input` the form creates a record. */
export const useEditRecord = <C extends AnyCall>(call: C, input: Partial<Input<C>> | undefined): Opened<C> => {
  const [loaded, setLoaded] = useState<Result<C>>();
  const { data, isFetchedAfterMount, error, refetch } = useCall(call, input ?? {}, {
    // Not refetched once loaded: the record may be deleted while the closed form is still mounted.
    enabled: input !== undefined && loaded === undefined,
    placeholderData: () => undefined,
    refetchOnMount: "always",
    refetchOnWindowFocus: false,
  });
  if (loaded === undefined && data !== undefined && isFetchedAfterMount) setLoaded(() => data);
  return { loaded, isReady: input === undefined || loaded !== undefined, error, retry: () => void refetch() };
};
