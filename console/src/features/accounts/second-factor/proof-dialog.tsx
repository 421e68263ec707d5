import type { Result } from "@telltale/contract/call/call";
import { secondFactor } from "@telltale/contract/domains/people/sign-ins";
import { useId } from "react";
import { FormMessage } from "../../../form/form-message.tsx";
import { useCallForm } from "../../../form/use-call-form.ts";
import { useAction } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { CodeField, CurrentPassword } from "./proof-fields.tsx";
import classes from "./second-factor.module.css";

/** Calls that require password and code. */
type Proven = typeof secondFactor.turnOff | typeof secondFactor.renewRecoveryCodes;

interface ProofDialogProps<C extends Proven> {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What the call will do. */
  text: string;
  /** Label of the confirming button. */
  action: string;
  call: C;
  success?: string;
  onDone?: (result: Result<C>) => void;
}

/** Asks for password and code before a security-relevant change. */
export const ProofDialog = <C extends Proven>({
  isOpen,
  onClose,
  title,
  text,
  action,
  call,
  ...then
}: ProofDialogProps<C>) => {
  const id = useId();
  const prove = useAction(call, {
    isQuiet: true,
    invalidates: [secondFactor.state],
    ...(then.success === undefined ? {} : { success: then.success }),
    onDone: (result) => {
      onClose();
      then.onDone?.(result);
    },
  });
  const form = useCallForm(call, (input) => prove.mutate(input));
  const close = () => {
    prove.reset();
    form.clear();
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={title}
      width={420}
      footer={
        <>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button variant="ink" type="submit" form={id} loading={prove.isPending}>
            {action}
          </Button>
        </>
      }
    >
      <form {...form.props} id={id} method="post" onInput={() => prove.isError && prove.reset()}>
        <p className={classes.text}>{text}</p>
        <CurrentPassword form={form} />
        <CodeField form={form} takesRecoveryCode />
        <FormMessage>{prove.error?.message}</FormMessage>
      </form>
    </Dialog>
  );
};
