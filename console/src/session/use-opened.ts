import { useQueryClient } from "@tanstack/react-query";
import type { Input, Result } from "@telltale/contract/call";
import type { CallError } from "@telltale/contract/client";
import { Code } from "@telltale/contract/codes";
import { useState } from "react";
import { useOutdate } from "./outdate.ts";
import { showFailure } from "./query.ts";
import { type AnyCall, callQuery, useCall } from "./use-call.ts";

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
export const useOpened = <C extends AnyCall>(call: C, input: Partial<Input<C>> | undefined): Opened<C> => {
  const [loaded, setLoaded] = useState<Result<C>>();
  const { data, isFetchedAfterMount, error, refetch } = useCall(call, input ?? {}, {
    // Once it is there it is not asked for again: the row may be deleted while the closed form still stands in the page.
    enabled: input !== undefined && loaded === undefined,
    placeholderData: undefined as never,
    refetchOnMount: "always",
    refetchOnWindowFocus: false,
  });
  if (loaded === undefined && data !== undefined && isFetchedAfterMount) setLoaded(() => data);
  return { loaded, isReady: input === undefined || loaded !== undefined, error, retry: () => void refetch() };
};

interface Newer<C extends AnyCall> {
  /** What the form changes, asked for once more when somebody else was faster. */
  call: C;
  input: Partial<Input<C>> | undefined;
  /** Its version when the form opened. */
  version: number | undefined;
  /** Lists that are out of date then. */
  invalidates: readonly AnyCall[];
}

/**
 * The version to save on top of. When somebody else was faster the server refuses and says so; what was typed stays, what is listed is loaded
 * again, and a second 'Save' goes on top of theirs. `onError` is for the action that saves.
 */
export const useNewerVersion = <C extends AnyCall>({ call, input, version, invalidates }: Newer<C>) => {
  const queries = useQueryClient();
  const outdate = useOutdate();
  const [newer, setNewer] = useState<number>();
  const look = async (asked: Partial<Input<C>>): Promise<void> => {
    outdate(invalidates);
    const found = await queries.fetchQuery({ ...callQuery(call, asked), staleTime: 0 });
    setNewer((found as { version: number }).version);
  };
  return {
    version: newer ?? version,
    onError: ({ code }: { code: number }): void => {
      if (code === Code.conflict && input !== undefined) void look(input).catch(showFailure);
    },
  };
};
