import { type ReactNode, useId } from "react";
import { SubmitDialog } from "../ui/dialog/submit-dialog.tsx";
import { FormMessage } from "./form-message.tsx";
import type { CallForm } from "./use-call-form.ts";

interface CallDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** Of useCallForm. */
  form: CallForm;
  /** The state of the call, such as useAction returns it. */
  sending: { isPending: boolean; error: Error | null; reset: () => void };
  /** Label of the button that sends the call. */
  action?: string;
  /** Buttons before Cancel. */
  others?: ReactNode;
  /** The fields. */
  children: ReactNode;
}

/** A dialog whose form sends one call. Its error is shown below the fields until something is typed. */
export const CallDialog = ({ form, sending, children, ...dialog }: CallDialogProps): ReactNode => {
  const formId = useId();
  const { isPending, error, reset } = sending;
  return (
    <SubmitDialog {...dialog} formId={formId} isBusy={isPending}>
      <form id={formId} {...form.props} onInput={() => error && reset()}>
        {children}
        <FormMessage>{error?.message}</FormMessage>
      </form>
    </SubmitDialog>
  );
};
