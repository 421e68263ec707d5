import type { Input, Result } from "@telltale/contract/call/call";
import type { CallError } from "@telltale/contract/call/client";
import { useState } from "react";
import { type AnyCall, useCall } from "./use-call.ts";

/** What a form changes, as it is when the form opens. */
export interface Opened<C extends AnyCall> {
  /** Undefined while it loads, and where something new is made. */
  loaded: Result<C> | undefined;
  /** Whether the form can be shown. */
  isReady: boolean;
  error: CallError | null;
  retry: () => void;
}

/** Loads what a form is to change: never what was loaded for an earlier form. Without `input` it makes something new. */
export const useEditRecord = <C extends AnyCall>(call: C, input: Partial<Input<C>> | undefined): Opened<C> => {
  const [loaded, setLoaded] = useState<Result<C>>();
  const { data, isFetchedAfterMount, error, refetch } = useCall(call, input ?? {}, {
    // Once it is there it is not asked for again: the row may be deleted while the closed form still stands in the page.
    enabled: input !== undefined && loaded === undefined,
    placeholderData: () => undefined,
    refetchOnMount: "always",
    refetchOnWindowFocus: false,
  });
  if (loaded === undefined && data !== undefined && isFetchedAfterMount) setLoaded(() => data);
  return { loaded, isReady: input === undefined || loaded !== undefined, error, retry: () => void refetch() };
};
