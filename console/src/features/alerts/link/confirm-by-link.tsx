import { IconCheck } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { CallError } from "@telltale/contract/call/client";
import { alertLinks, type LinkedAlert } from "@telltale/contract/domains/alerting/links";
import { longestNote } from "@telltale/contract/domains/alerts";
import { type FormEvent, useState } from "react";
import { FormMessage } from "../../../form/form-message.tsx";
import { client } from "../../../session/client.ts";
import { Button } from "../../../ui/control/button.tsx";
import { TextInput } from "../../../ui/control/text-input.tsx";
import classes from "./linked-alert.module.css";

const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

interface ConfirmByLinkProps {
  link: string;
  linked: LinkedAlert;
  /** Called when the alert has changed, by this confirmation or before it. */
  onDone: () => void;
}

/** The button that confirms in the recipient's name, at the lower edge of the screen; for others why there is none. */
export const ConfirmByLink = ({ link, linked, onDone }: ConfirmByLinkProps) => {
  const [note, setNote] = useState("");
  const confirm = useMutation<null, CallError>({
    mutationFn: () => client(alertLinks.confirm, { link, note }),
    onSettled: onDone,
  });
  const { recipient, mayConfirm, untilTime } = linked;
  if (!mayConfirm)
    return (
      <section className={classes.foot} aria-label="Confirmation">
        <p>{recipient.name} gets this alert to know of it. Confirming is left to others.</p>
      </section>
    );
  const send = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate();
  };
  return (
    <form className={classes.foot} onSubmit={send} aria-label="Confirmation">
      <TextInput
        aria-label="Note, optional"
        placeholder="Note, optional"
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        maxLength={longestNote}
        autoComplete="off"
        classNames={{ input: classes.note ?? "" }}
      />
      <FormMessage>{confirm.error?.message}</FormMessage>
      <Button
        type="submit"
        variant="ink"
        fullWidth
        className={classes.confirm ?? ""}
        leftSection={<IconCheck size={22} stroke={2.2} aria-hidden />}
        // The button goes with the next answer, which shows the alert as confirmed.
        loading={confirm.isPending || confirm.isSuccess}
      >
        Confirm as {recipient.name}
      </Button>
      <p>No sign-in needed until {dayMonth.format(untilTime)}, while it waits.</p>
    </form>
  );
};
