import type { Input } from "@telltale/contract/call/call";
import { Code } from "@telltale/contract/call/codes";
import { type ReactNode, useState } from "react";
import { type AnyCall, useAction } from "../session/use-call.ts";
import { ConfirmDialog } from "../ui/dialog/confirm-dialog.tsx";
import { useDialogSubject } from "../ui/dialog/use-dialog-subject.ts";

/** A confirmation question and the action behind it. */
interface ConfirmedAction<Subject, C extends AnyCall> {
  call: C;
  inputOf: (subject: Subject) => Partial<Input<C>>;
  /** Calls whose answers are stale afterwards. */
  invalidates: readonly AnyCall[];
  success: string;
  title: (subject: Subject) => string;
  /** Label of the confirming button. */
  action: (subject: Subject) => string;
  /** The question, naming the subject, and below it the consequences. */
  question: (subject: Subject) => ReactNode;
}

/** Asks for confirmation before an action on a device, a user or money: `ask` opens the question, `dialog` can be rendered anywhere on the page. */
export const useConfirmedAction = <Subject, C extends AnyCall>({
  call,
  inputOf,
  invalidates,
  success,
  title,
  action,
  question,
}: ConfirmedAction<Subject, C>): { ask: (subject: Subject) => void; dialog: ReactNode } => {
  const { subject, count, isOpen, open: ask, close } = useDialogSubject<Subject>();
  const { mutate, isPending } = useAction(call, { success, invalidates });
  // An answer to a question that was given up is none to the one that is open now.
  const [answered, setAnswered] = useState(0);
  const doIt = (subject: Subject) => {
    setAnswered(count);
    mutate(inputOf(subject), {
      onSuccess: close,
      // Another user was faster: the question is about a state that no longer exists.
      onError: ({ code }) => (code === Code.notFound || code === Code.conflict) && close(),
    });
  };
  const dialog = (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={subject && title(subject)}
      action={subject ? action(subject) : ""}
      onConfirm={() => subject && doIt(subject)}
      isBusy={isPending && answered === count}
    >
      {subject && question(subject)}
    </ConfirmDialog>
  );
  return { ask, dialog };
};

interface Removal<Subject, C extends AnyCall>
  extends Pick<ConfirmedAction<Subject, C>, "call" | "inputOf" | "invalidates" | "question"> {
  title: string;
}

/** Asks for confirmation before something is deleted. (spec 2 §8) */
export const useRemoval = <Subject, C extends AnyCall>({ title, ...removal }: Removal<Subject, C>) =>
  useConfirmedAction({ ...removal, success: "Delete successful", title: () => title, action: () => "Delete" });
