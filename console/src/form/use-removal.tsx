import type { Input } from "@telltale/contract/call";
import { Code } from "@telltale/contract/codes";
import type { ReactNode } from "react";
import { type AnyCall, useAction } from "../session/use-call.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useAsked } from "./use-asked.ts";

interface Removal<Subject, C extends AnyCall> {
  call: C;
  inputOf: (subject: Subject) => Partial<Input<C>>;
  /** Calls whose answers are out of date afterwards. */
  invalidates: readonly AnyCall[];
  title: string;
  /** The question, and below it what follows from a yes. */
  question: (subject: Subject) => ReactNode;
}

/** Asks before something is deleted: `ask` opens the question, `dialog` belongs anywhere in the page. (spec 2 §8) */
export const useRemoval = <Subject, C extends AnyCall>({
  call,
  inputOf,
  invalidates,
  title,
  question,
}: Removal<Subject, C>): { ask: (subject: Subject) => void; dialog: ReactNode } => {
  const { asked, isOpen, ask, close } = useAsked<Subject>();
  const { mutate, isPending } = useAction(call, { success: "Delete successful", invalidates, onDone: close });
  const remove = (subject: Subject) =>
    // Somebody else has deleted it meanwhile: the question is settled.
    mutate(inputOf(subject), { onError: ({ code }) => code === Code.notFound && close() });
  const dialog = (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={title}
      action="Delete"
      onConfirm={() => asked && remove(asked)}
      isBusy={isPending}
    >
      {asked && question(asked)}
    </ConfirmDialog>
  );
  return { ask, dialog };
};
