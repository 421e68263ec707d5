import type { Input, Result } from "@telltale/contract/call/call";
import { type AnyCall, useAction } from "../session/use-call.ts";

interface AddOrUpdate<Add extends AnyCall, Update extends AnyCall> {
  add: Add;
  update: Update;
  /** What `update` sends for the fields of the form; undefined for a new record, which `add` sends. */
  changed: ((fields: Input<Add>) => Partial<Input<Update>>) | undefined;
  /** Calls whose answers are stale afterwards. */
  invalidates: readonly AnyCall[];
  /** Runs after either. */
  onDone: () => void;
  /** Runs after a new record was added, with the answer. */
  onAdded?: (result: Result<Add>) => void;
}

/** Saves the one form that adds a record and changes it. Errors are left to the form. */
export const useAddOrUpdate = <Add extends AnyCall, Update extends AnyCall>(calls: AddOrUpdate<Add, Update>) => {
  const { changed, invalidates, onDone, onAdded } = calls;
  const add = useAction(calls.add, {
    success: "Add success",
    invalidates,
    isQuiet: true,
    onDone: (result) => {
      onDone();
      onAdded?.(result);
    },
  });
  const update = useAction(calls.update, {
    success: "Submitted successfully",
    invalidates,
    isQuiet: true,
    onDone,
  });
  return {
    save: (fields: Input<Add>) => (changed ? update.mutate(changed(fields)) : add.mutate(fields)),
    sending: changed ? update : add,
  };
};
