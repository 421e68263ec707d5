import type { Input } from "@telltale/contract/call/call";
import { Code } from "@telltale/contract/call/codes";
import type { ReactNode } from "react";
import { type AnyCall, useAction } from "../session/use-call.ts";
import { ConfirmDialog } from "../ui/dialog/confirm-dialog.tsx";
import { useAsked } from "./use-asked.ts";

/** What is asked, and what a yes does. */
interface AskedAction<Subject, C extends AnyCall> {
  call: C;
  inputOf: (subject: Subject) => Partial<Input<C>>;
  /** Calls whose answers are out of date afterwards. */
  invalidates: readonly AnyCall[];
  success: string;
  title: (subject: Subject) => string;
  /** What the button says that does it. */
  action: (subject: Subject) => string;
  /** The question, naming the subject, and below it what follows from a yes. */
  question: (subject: Subject) => ReactNode;
}

/** Asks before something is done to a device, a person or money: `ask` opens the question, `dialog` belongs anywhere in the page. */
export const useAskedAction = <Subject, C extends AnyCall>({
  call,
  inputOf,
  invalidates,
  success,
  title,
  action,
  question,
}: AskedAction<Subject, C>): { ask: (subject: Subject) => void; dialog: ReactNode } => {
  const { asked, isOpen, ask, close } = useAsked<Subject>();
  const { mutate, isPending } = useAction(call, { success, invalidates, onDone: close });
  const doIt = (subject: Subject) =>
    // Somebody else was there first: the question was about what is no more.
    mutate(inputOf(subject), { onError: ({ code }) => (code === Code.notFound || code === Code.conflict) && close() });
  const dialog = (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={asked && title(asked)}
      action={asked ? action(asked) : ""}
      onConfirm={() => asked && doIt(asked)}
      isBusy={isPending}
    >
      {asked && question(asked)}
    </ConfirmDialog>
  );
  return { ask, dialog };
};
