import {
  queryOptions,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type { Calls, Input, Result } from "@telltale/contract/call/call";
import type { CallError } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { inform } from "../ui/dialog/messages.ts";
import { client } from "./client.ts";
import { useInvalidate } from "./invalidate.ts";
import { showFailure } from "./query.ts";

export type AnyCall = Calls[string];

/** The query key of a call's answer; without input, the prefix of all its answers. */
export const keyOf = <C extends AnyCall>(call: C, input?: Partial<Input<C>>): readonly unknown[] =>
  input === undefined ? [call.path] : [call.path, input];

/** A call as a query, for loaders and caches. */
export const callQuery = <C extends AnyCall>(call: C, input: Partial<Input<C>>) =>
  queryOptions<Result<C>, CallError>({
    queryKey: keyOf(call, input),
    queryFn: ({ signal }) => client(call, input, signal),
  });

type CallOptions<C extends AnyCall> = Partial<Omit<UseQueryOptions<Result<C>, CallError>, "queryKey" | "queryFn">>;

/** The answer of a call, kept fresh: `useCall(devices.detail, { deviceId })`. */
export const useCall = <C extends AnyCall>(
  call: C,
  input: Partial<Input<C>>,
  options: CallOptions<C> = {},
): UseQueryResult<Result<C>, CallError> => useQuery({ ...callQuery(call, input), ...options });

/** Returns a function that fetches a current answer, bypassing the cache. */
export const useRead = <C extends AnyCall>(call: C): ((input: Partial<Input<C>>) => Promise<Result<C>>) => {
  const queries = useQueryClient();
  return (input) => queries.fetchQuery({ ...callQuery(call, input), staleTime: 0 });
};

interface ActionOptions<C extends AnyCall> {
  /** The message to show on success. */
  success?: string;
  /** Calls whose answers are stale afterwards. */
  invalidates?: readonly AnyCall[];
  /** Runs on success, with the answer. */
  onDone?: (result: Result<C>) => void;
  /** The screen shows errors itself, in place. */
  isQuiet?: boolean;
}

/** Errors that mean another user was faster: what is on screen is stale. */
const outdated: readonly number[] = [Code.conflict, Code.notFound];

/** A mutation. An error is shown as a warning with the server's sentence. (spec 1 §8) */
export const useAction = <C extends AnyCall>(
  call: C,
  { success, invalidates = [], onDone, isQuiet = false }: ActionOptions<C> = {},
): UseMutationResult<Result<C>, CallError, Partial<Input<C>>> => {
  const invalidate = useInvalidate();
  const refresh = () => invalidate(invalidates);
  return useMutation<Result<C>, CallError, Partial<Input<C>>>({
    mutationFn: (input: Partial<Input<C>>) => client(call, input),
    onSuccess: (result) => {
      if (success) inform(success);
      refresh();
      onDone?.(result);
    },
    onError: (error) => {
      if (outdated.includes(error.code)) refresh();
      if (!isQuiet) showFailure(error);
    },
  });
};
