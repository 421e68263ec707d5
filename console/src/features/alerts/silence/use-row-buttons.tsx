import { type Silence, SilenceKind } from "@telltale/contract/domains/alerting/silences";
import type { SilentNow } from "@telltale/contract/domains/alerting/silent-now";
import type { ReactNode } from "react";
import { useSession } from "../../../session/session.ts";
import { Button } from "../../../ui/control/button.tsx";
import { useDialogSubject } from "../../../ui/dialog/use-dialog-subject.ts";
import { Link } from "../../../ui/router/link.tsx";
import { EditSilence } from "./edit-silence.tsx";
import { EndSilence } from "./end-silence.tsx";
import type { RowButtons } from "./silent-groups.tsx";
import { WindowDialog } from "./window-dialog.tsx";

interface Subject {
  what: "plan" | "edit" | "end";
  silence: Silence | undefined;
}

/** The dialogs behind the buttons. */
const useDialogs = () => {
  const { open, subject, count, isOpen, close } = useDialogSubject<Subject>();
  const dialogOf = ({ what, silence }: Subject): ReactNode => {
    const rest = { isOpen, onClose: close };
    if (what === "plan" || !silence) return <WindowDialog key={count} {...rest} />;
    if (what === "end") return <EndSilence key={count} silence={silence} {...rest} />;
    return silence.kind === SilenceKind.maintenance ? (
      <WindowDialog key={count} silence={silence} {...rest} />
    ) : (
      <EditSilence key={count} silence={silence} {...rest} />
    );
  };
  return {
    open: (what: Subject["what"], silence?: Silence) => open({ what, silence }),
    dialogs: subject && dialogOf(subject),
  };
};

/** The buttons of rows that the account may use, and the dialogs behind them; `plan` opens an empty window. */
export const useRowButtons = (onPay: ((device: SilentNow["paymentDue"][number]) => void) | undefined) => {
  const { can } = useSession();
  const { open, dialogs } = useDialogs();
  const mayChange = ({ kind }: Silence) => can(kind === SilenceKind.shelf ? "alerts.silence" : "alerts.outOfService");
  const named = (verb: string, name: string) => ({ "aria-label": `${verb}: ${name}` });
  const buttons: RowButtons = {
    ofSilence: (silence) =>
      mayChange(silence) && (
        <>
          <Button
            variant="default"
            size="xs"
            {...named("Edit", silence.alarmName)}
            onClick={() => open("edit", silence)}
          >
            Edit
          </Button>
          <Button variant="default" size="xs" {...named("End", silence.alarmName)} onClick={() => open("end", silence)}>
            End
          </Button>
        </>
      ),
    ofRule: ({ alarmId }, isOff) =>
      alarmId !== null && (
        <Link to="/configureAlarm" search={{ tab: "custom", alarmId }}>
          {isOff ? "Open rule" : "Add recipient"}
        </Link>
      ),
    ofUnpaid: (device) =>
      onPay && (
        <Button variant="default" size="xs" {...named("Pay", device.deviceName)} onClick={() => onPay(device)}>
          Pay
        </Button>
      ),
    toWebhooks: can("webhooks.read") && <Link to="/configureWebhooks">Open webhooks</Link>,
    toRecipients: can("alarms.read") && <Link to="/configureAlarm">Add recipient</Link>,
  };
  return { buttons, plan: () => open("plan"), dialogs };
};
